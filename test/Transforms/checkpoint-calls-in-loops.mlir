// RUN: pebble-opt %s --pebble-checkpoint-calls=budget=min --remarks-filter=pebble-checkpoint-calls -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUT < %t.mlir
// RUN: pebble-run %s --json=%t.json && pebble-run %t.mlir --json=%t.least.json
// RUN: grep sha256 %t.json > %t.sum && grep sha256 %t.least.json | diff - %t.sum
// RUN: FileCheck %s --check-prefix=MET < %t.least.json

// Both calls of the pairs stand in the body of a loop. The proof looks into it.
// CHECK: calls of '@main': block {{.*}}, block
// CHECK-SAME: input_peak_bytes=15360, joint={{[1-6]}}, peak_bytes=10240
// OUT: scf.for
// OUT: func.call @block.{{.*}} {pebble.call_mode = "
// MET: "default": 10240
// MET: "predicted_peak_bytes"
// MET-NEXT: "default": 10240
func.func private @layer(%x: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %a = math.sin %x : tensor<256xf32>
  %ca = math.cos %x : tensor<256xf32>
  %b = math.sin %a : tensor<256xf32>
  %cb = math.cos %a : tensor<256xf32>
  return %b, %ca, %cb : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
func.func private @layer_back(%ca: tensor<256xf32>, %cb: tensor<256xf32>, %d: tensor<256xf32>) -> tensor<256xf32> {
  %e = arith.mulf %d, %cb : tensor<256xf32>
  %f = arith.mulf %e, %ca : tensor<256xf32>
  return %f : tensor<256xf32>
}
func.func private @block(%x: tensor<256xf32>)
    -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    attributes {pebble.adjoint = {backward = @block_back, results = 1 : i64}} {
  %y, %s:2 = call @layer(%x) : (tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
  %z, %t:2 = call @layer(%y) : (tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
  return %z, %s#0, %s#1, %t#0, %t#1 : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
func.func private @block_back(%s0: tensor<256xf32>, %s1: tensor<256xf32>, %t0: tensor<256xf32>, %t1: tensor<256xf32>,
                              %d: tensor<256xf32>) -> tensor<256xf32> {
  %e = call @layer_back(%t0, %t1, %d) : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %f = call @layer_back(%s0, %s1, %e) : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %f : tensor<256xf32>
}
func.func @main(%w: tensor<256xf32>, %x: tensor<256xf32>) -> tensor<256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %w) -> tensor<256xf32> {
    %in = arith.addf %p, %x : tensor<256xf32>
    %y, %s:4 = func.call @block(%in) : (tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    %z, %t:4 = func.call @block(%y) : (tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
    %e = func.call @block_back(%t#0, %t#1, %t#2, %t#3, %z)
      : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %f = func.call @block_back(%s#0, %s#1, %s#2, %s#3, %e)
      : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %q = arith.subf %p, %f : tensor<256xf32>
    scf.yield %q : tensor<256xf32>
  }
  return %r : tensor<256xf32>
}
