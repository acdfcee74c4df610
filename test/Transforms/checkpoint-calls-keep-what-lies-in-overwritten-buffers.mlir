// RUN: pebble-opt %s --pebble-checkpoint-calls=mode=joint -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-opt %t.mlir -cse -canonicalize -o %t.after.mlir
// RUN: pebble-run %s --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.mlir --json=%t.joint.json && grep sha256 %t.joint.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --json=%t.after.json && grep sha256 %t.after.json | diff - %t.sum

// The argument lies in a buffer that is overwritten before the adjoint has run.
// A second run of the function would read the new content, so it is given a copy
// from before. A buffer that is written later does no harm.
// CHECK: func.func @main
// CHECK: %[[X:.*]] = bufferization.to_tensor
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK: call @layer.plain(%[[X]])
// CHECK: linalg.fill
// CHECK: call @layer.adjoint(%[[COPY]], %{{.*}})
// CHECK-NOT: alloc_tensor
// CHECK: call @layer.plain(
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
func.func @main(%m: memref<64xf32>, %d: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = bufferization.to_tensor %m restrict : memref<64xf32> to tensor<64xf32>
  %y, %s = call @layer(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  linalg.fill ins(%one : f32) outs(%m : memref<64xf32>)
  %g = call @layer_back(%s, %d) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %z, %t = call @layer(%g) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %h = call @layer_back(%t, %d) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  linalg.fill ins(%two : f32) outs(%m : memref<64xf32>)
  return %y, %z, %h : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
