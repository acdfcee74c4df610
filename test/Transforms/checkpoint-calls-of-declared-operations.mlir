// RUN: pebble-opt %s --allow-unregistered-dialect --pebble-checkpoint-calls="mode=joint pure=mine" | FileCheck %s

// What the user declares free of effects runs again, goes where nobody needs
// it, and is no effect in the proof.
// CHECK-LABEL: func.func private @f.plain(
// CHECK: "mine.value"
// CHECK-NOT: "mine.tape"
// CHECK-LABEL: func.func private @f.adjoint(
// CHECK-NOT: "mine.value"
// CHECK: "mine.tape"
// CHECK-LABEL: func.func @main
func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %y = "mine.value"(%x) {pebble.cost = 4 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %c = "mine.tape"(%x) {pebble.cost = 4 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %c : tensor<4xf32>, tensor<4xf32>
}
func.func private @back(%c: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %g = arith.mulf %c, %d : tensor<4xf32>
  return %g : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %c = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %g = call @back(%c, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %g : tensor<4xf32>, tensor<4xf32>
}
