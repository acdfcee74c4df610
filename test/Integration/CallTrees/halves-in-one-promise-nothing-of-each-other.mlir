// Each half may take its buffer for its alone. Both in one function may not:
// here they are given the same one, and the second one writes it.
// RUN: pebble-opt %s --pebble-checkpoint-calls=mode=joint -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %s --json=%t.before.json
// RUN: pebble-run %t.mlir --json=%t.after.json
// RUN: grep sha256 %t.before.json > %t.sum
// RUN: grep sha256 %t.after.json | diff - %t.sum

// CHECK: @layer.plain({{.*}}llvm.noalias
// CHECK: @layer.adjoint(%arg0: tensor<64xf32>, %arg1: memref<64xf32>, %arg2: tensor<64xf32>, %arg3: memref<64xf32>)
func.func private @layer(%x: tensor<64xf32>, %m: memref<64xf32> {llvm.noalias}) -> (tensor<64xf32>, tensor<64xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %t = bufferization.to_tensor %m restrict : memref<64xf32> to tensor<64xf32>
  %p = arith.mulf %x, %t : tensor<64xf32>
  %s = math.sin %p : tensor<64xf32>
  %c = math.cos %p : tensor<64xf32>
  return %s, %c : tensor<64xf32>, tensor<64xf32>
}
func.func private @layer_back(%c: tensor<64xf32>, %d: tensor<64xf32>, %m: memref<64xf32>) -> tensor<64xf32> {
  %r = arith.mulf %c, %d : tensor<64xf32>
  %i = arith.constant 3 : index
  %v = memref.load %m[%i] : memref<64xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %m[%i] : memref<64xf32>
  return %r : tensor<64xf32>
}
func.func @main(%x: tensor<64xf32>, %m: memref<64xf32>, %d: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %y, %c = call @layer(%x, %m) : (tensor<64xf32>, memref<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %e = math.exp %y : tensor<64xf32>
  %g = call @layer_back(%c, %e, %m) : (tensor<64xf32>, tensor<64xf32>, memref<64xf32>) -> tensor<64xf32>
  return %y, %g : tensor<64xf32>, tensor<64xf32>
}
