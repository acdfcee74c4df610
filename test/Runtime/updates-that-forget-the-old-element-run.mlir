// An atomic update may store what it has from outside of its region; a
// canonicalizer makes some of those. It hands out what it has stored.
// RUN: pebble-run %s --output-dir=%t
// RUN: %python -c "import numpy; print(numpy.load('%t/result0.npy').tolist(), numpy.load('%t/result1.npy').tolist())" | FileCheck %s
// CHECK: [1.0, 5.0, 2.5, 1.0] [7, 7, 3]
func.func @main() -> (tensor<4xf32>, tensor<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %five = arith.constant 5.0 : f32
  %x = arith.constant 2.5 : f32
  %seven = arith.constant 7 : i32
  %three = arith.constant 3 : i32
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<3xi32>
  linalg.fill ins(%one : f32) outs(%m : memref<4xf32>)
  linalg.fill ins(%three : i32) outs(%n : memref<3xi32>)
  %a = memref.generic_atomic_rmw %m[%c1] : memref<4xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %five : f32
  }
  %b = memref.generic_atomic_rmw %m[%c2] : memref<4xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %x : f32
  }
  %c = memref.generic_atomic_rmw %n[%c0] : memref<3xi32> {
  ^bb0(%old: i32):
    memref.atomic_yield %seven : i32
  }
  memref.store %c, %n[%c1] : memref<3xi32>
  %r = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %s = bufferization.to_tensor %n restrict : memref<3xi32> to tensor<3xi32>
  return %r, %s : tensor<4xf32>, tensor<3xi32>
}
