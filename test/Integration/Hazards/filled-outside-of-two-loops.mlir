// A loop in a loop begins with what was filled outside of both: it gets a copy.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// CHECK: before: peak [[#PEAK:]]
// CHECK: after: peak [[#PEAK]]
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %f, %b = %f) -> (tensor<8xf32>, tensor<8xf32>) {
    %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%c = %f) -> tensor<8xf32> {
      %t = linalg.add ins(%c, %x : tensor<8xf32>, tensor<8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %t : tensor<8xf32>
    }
    %u = linalg.add ins(%a, %s : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    %v = linalg.mul ins(%b, %s : tensor<8xf32>, tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %u, %v : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
