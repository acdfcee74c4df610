// RUN: pebble-opt %s --pebble-checkpoint-calls=mode=joint -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %s --json=%t.json && pebble-run %t.mlir --json=%t.joint.json
// RUN: grep sha256 %t.json > %t.sum && grep sha256 %t.joint.json | diff - %t.sum

// One function with a loop of its own is called before a loop and in it, with
// the same argument. The proof knows it at both depths.
// CHECK: func.func @main
// CHECK: call @layer(
// CHECK: call @layer.adjoint(
func.func private @layer(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %b = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<64xf32>) {
    %s = math.sin %v : tensor<64xf32>
    scf.yield %s : tensor<64xf32>
  }
  %c = math.cos %b : tensor<64xf32>
  return %b, %c : tensor<64xf32>, tensor<64xf32>
}
func.func private @layer_back(%c: tensor<64xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  %e = arith.mulf %d, %c : tensor<64xf32>
  return %e : tensor<64xf32>
}
func.func @main(%x: tensor<64xf32>, %d: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %w, %u = func.call @layer(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %d, %q = %w) -> (tensor<64xf32>, tensor<64xf32>) {
    %y, %s = func.call @layer(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    %g = func.call @layer_back(%s, %p) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %z = arith.addf %y, %q : tensor<64xf32>
    scf.yield %g, %z : tensor<64xf32>, tensor<64xf32>
  }
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}
