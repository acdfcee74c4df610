// RUN: pebble-opt %s --pebble-checkpoint-calls=mode=joint -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %s --json=%t.json && pebble-run %t.mlir --json=%t.joint.json
// RUN: grep sha256 %t.json > %t.sum && grep sha256 %t.joint.json | diff - %t.sum

// Both calls of a pair stand in a block that is not the first of its region, of
// a function or of an operation.
// CHECK: func.func @main
// CHECK-COUNT-2: call @layer.adjoint
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
func.func @main(%x: tensor<64xf32>, %d: tensor<64xf32>, %b: i1) -> (tensor<64xf32>, tensor<64xf32>) {
  %r:2 = scf.execute_region -> (tensor<64xf32>, tensor<64xf32>) {
    cf.cond_br %b, ^calls, ^none
  ^calls:
    %y, %s = func.call @layer(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    %g = func.call @layer_back(%s, %d) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    scf.yield %y, %g : tensor<64xf32>, tensor<64xf32>
  ^none:
    scf.yield %x, %d : tensor<64xf32>, tensor<64xf32>
  }
  cf.cond_br %b, ^more, ^end(%r#0, %r#1 : tensor<64xf32>, tensor<64xf32>)
^more:
  %z, %t = call @layer(%r#0) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %h = call @layer_back(%t, %d) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  cf.br ^end(%z, %h : tensor<64xf32>, tensor<64xf32>)
^end(%p: tensor<64xf32>, %q: tensor<64xf32>):
  return %p, %q : tensor<64xf32>, tensor<64xf32>
}
