// What nobody wrote may be handed to a call in a loop, where it is made anew: that
// is no change of the program.
// RUN: pebble-run %s 2>&1 | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule=budget=min -o %t.mlir
// RUN: pebble-run %t.mlir 2>&1 | FileCheck %s
// CHECK: @main: peak

func.func private @f(%m: memref<8xf32>, %n: memref<8xf32>, %t: tensor<8xf32>) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<8xf32>
  memref.store %v, %n[%c0] : memref<8xf32>
  return %t, %v : tensor<8xf32>, f32
}
func.func @main(%m: memref<8xf32>, %n: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<8xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    %r:2 = func.call @f(%m, %n, %e) : (memref<8xf32>, memref<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, f32)
  }
  return
}
