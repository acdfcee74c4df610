// Upstream lowers no loop or branch inside of a scope for the stack, or inside of an
// atomic update. They run, as they are and planned, and take what is predicted.
// RUN: pebble-run %s --output-dir=%t --json=%t.json 2>&1 | FileCheck %s --check-prefix=PEAK
// RUN: %python -c "import numpy; print(numpy.load('%t/result0.npy').tolist(), numpy.load('%t/result1.npy').tolist())" | FileCheck %s
// RUN: pebble-opt --quiet %s --pebble-order-operations=objective=peak --pebble-plan-addresses -cse -canonicalize -o %t.planned.mlir
// RUN: pebble-run %t.planned.mlir --poison --output-dir=%t.planned 2>&1 | FileCheck %s --check-prefix=PEAK
// RUN: %python -c "import numpy; print(numpy.load('%t.planned/result0.npy').tolist(), numpy.load('%t.planned/result1.npy').tolist())" | FileCheck %s
// PEAK: peak in default {{[0-9]+}} B as predicted
// CHECK: [8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0] [4.0, 3.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
func.func @main() -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %out = memref.alloca_scope -> (memref<8xf32>) {
    %o = memref.alloc() : memref<8xf32>
    %sum = memref.alloca() : memref<8xf32>
    linalg.fill ins(%one : f32) outs(%sum : memref<8xf32>)
    scf.for %i = %c0 to %c3 step %c1 {
      memref.alloca_scope {
        %t = memref.alloca() : memref<8xf32>
        linalg.fill ins(%two : f32) outs(%t : memref<8xf32>)
        %is_last = arith.cmpi eq, %i, %c3 : index
        scf.if %is_last {
          linalg.fill ins(%one : f32) outs(%t : memref<8xf32>)
        }
        linalg.mul ins(%sum, %t : memref<8xf32>, memref<8xf32>) outs(%sum : memref<8xf32>)
      }
    }
    memref.copy %sum, %o : memref<8xf32> to memref<8xf32>
    memref.alloca_scope.return %o : memref<8xf32>
  }
  %h = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    memref.store %f, %h[%i] : memref<8xf32>
    %new = memref.generic_atomic_rmw %h[%i] : memref<8xf32> {
    ^bb0(%old: f32):
      %is_small = arith.cmpf olt, %old, %two : f32
      %n = scf.if %is_small -> f32 {
        %s = arith.subf %three, %old : f32
        scf.yield %s : f32
      } else {
        scf.yield %old : f32
      }
      memref.atomic_yield %n : f32
    }
    // What it hands out is what it has stored.
    %more = arith.addf %new, %one : f32
    memref.store %more, %h[%i] : memref<8xf32>
  }
  return %out, %h : memref<8xf32>, memref<8xf32>
}
