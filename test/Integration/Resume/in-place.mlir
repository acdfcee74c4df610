// A program on memrefs: two loops, each of which updates buffers where they are. An argument and an allocation are
// part of the state, and the second loop reads what the first one left.
// RUN: %python %S/kill.py %s --every=25 --kills=5 --seed=2 | FileCheck %s
// CHECK: killed {{[1-9][0-9]*}} times while it ran, {{.*}} all with the same results

func.func @main(%field: memref<96x96xf32>, %source: memref<96x96xf32>) -> memref<96xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 300 : i32
  %start = arith.constant 100 : i32
  %stride = arith.constant 1 : i32
  %n2 = arith.constant 800 : index
  %zero = arith.constant 0.0 : f32
  %less = arith.constant 0.99 : f32
  %old = memref.alloc() : memref<96x96xf32>
  %rows = memref.alloc() : memref<96xf32>
  linalg.fill ins(%zero : f32) outs(%rows : memref<96xf32>)
  scf.for %i = %start to %n step %stride : i32 {
    memref.copy %field, %old : memref<96x96xf32> to memref<96x96xf32>
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%source, %old : memref<96x96xf32>, memref<96x96xf32>) outs(%field : memref<96x96xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32):
        %d = math.sin %b : f32
        %e = arith.mulf %d, %less : f32
        %f = arith.addf %e, %a : f32
        linalg.yield %f : f32
    }
  }
  scf.for %i = %c0 to %n2 step %c2 {
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                    iterator_types = ["parallel", "reduction"]}
        ins(%field : memref<96x96xf32>) outs(%rows : memref<96xf32>) {
      ^bb0(%a: f32, %b: f32):
        %c = math.cos %b : f32
        %d = arith.addf %c, %a : f32
        linalg.yield %d : f32
    }
  }
  memref.dealloc %old : memref<96x96xf32>
  return %rows : memref<96xf32>
}
