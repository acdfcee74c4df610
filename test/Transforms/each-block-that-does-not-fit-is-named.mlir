// A budget must do for each block of a function. All that need more are named,
// so that the largest budget that an error says is one that does.

// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=1 means=none" -o /dev/null 2>&1 | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=12352 means=none" -o /dev/null

// CHECK: the smallest feasible budget is 128 bytes (proven)
// CHECK: the smallest feasible budget is 12352 bytes (proven)

func.func @main(%x: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %small = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%small : memref<16xf32>)
  %v = memref.load %small[%c0] : memref<16xf32>
  %c = arith.cmpf olt, %v, %one : f32
  cf.cond_br %c, ^then, ^done
^then:
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<1024xf32>)
  %d = memref.alloc() : memref<1024xf32>
  linalg.add ins(%a, %b : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  %w = memref.load %d[%c0] : memref<1024xf32>
  memref.store %w, %x[%c0] : memref<16xf32>
  cf.br ^done
^done:
  return
}
