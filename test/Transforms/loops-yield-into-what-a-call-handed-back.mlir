// A call that is given a buffer for good may hand it back. What the loop carries
// on goes into that, for nobody may use the old name any more.
// RUN: pebble-opt %s --pebble-materialize-storage | FileCheck %s
// RUN: pebble-run %s --json=%t.json
// RUN: FileCheck %s --check-prefix=MET < %t.json
// CHECK: %[[BACK:.*]] = func.call @given(
// CHECK: linalg.copy ins(%arg0 : tensor<8xf32>) outs(%[[BACK]] : tensor<8xf32>)
// MET: "default": 192
// MET: "predicted_peak_bytes": {
// MET-NEXT: "default": 192
func.func private @given(%x: tensor<8xf32> {pebble.donated}, %y: tensor<8xf32>) -> tensor<8xf32> {
  %z = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%c = %x) -> (tensor<8xf32>) {
    %z = func.call @given(%c, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %x : tensor<8xf32>
  }
  return %last : tensor<8xf32>
}
