// Two states change places in each iteration: what is yielded is put back into
// the buffer that the next iteration reads. Decided a second time, the storage
// must come out the same.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// RUN: pebble-opt %s --pebble-materialize-storage > %t.once
// RUN: pebble-opt %t.once --pebble-materialize-storage | diff - %t.once
// CHECK: before: peak [[#PEAK:]]
// CHECK: after: peak [[#PEAK]]
func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %a, %t = %b) -> (tensor<64xf32>, tensor<64xf32>) {
    %sum = linalg.add ins(%s, %t : tensor<64xf32>, tensor<64xf32>) outs(%t : tensor<64xf32>) -> tensor<64xf32>
    %top = linalg.max ins(%sum, %s : tensor<64xf32>, tensor<64xf32>) outs(%s : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %sum, %top : tensor<64xf32>, tensor<64xf32>
  }
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}
