// A call that was given a buffer for good hands it back under a new name. A loop
// may take that in place, also where the program was written down and read again.
// RUN: pebble-run %s --json=%t.json
// RUN: FileCheck %s < %t.json
// RUN: pebble-opt %s --pebble-materialize-storage -o %t.mlir
// RUN: pebble-run %t.mlir --json=%t.again.json
// RUN: FileCheck %s < %t.again.json
// RUN: grep sha256 %t.json > %t.sum
// RUN: grep sha256 %t.again.json | diff - %t.sum
// CHECK: "peak_bytes": {
// CHECK-NEXT: "default": [[PEAK:[0-9]+]]
// CHECK: "predicted_peak_bytes": {
// CHECK-NEXT: "default": [[PEAK]]
func.func private @given(%x: tensor<8xf32> {pebble.donated}, %y: tensor<8xf32>) -> tensor<8xf32> {
  %z = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<8xf32>
  %a = scf.for %i = %c0 to %c3 step %c1 iter_args(%c = %x) -> tensor<8xf32> {
    scf.yield %x : tensor<8xf32>
  }
  %b = call @given(%a, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %d:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %b, %q = %x) -> (tensor<8xf32>, tensor<8xf32>) {
    %r = linalg.abs ins(%p : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %r, %x : tensor<8xf32>, tensor<8xf32>
  }
  %s = linalg.exp ins(%d#1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %d#0, %s : tensor<8xf32>, tensor<8xf32>
}
