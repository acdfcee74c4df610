// What others see of a result as a buffer has a storage of its own: nobody writes
// it over an operand. What stays inside is written there still.
// RUN: pebble-opt %s --pebble-reuse-operands -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %s --seed=5 --output-dir=%t.before
// RUN: pebble-run %t.mlir --seed=5 --poison --output-dir=%t.after
// RUN: diff -r %t.before %t.after

// CHECK-LABEL: func.func private @made
// CHECK: %[[A:.*]] = linalg.abs
// CHECK: %[[B:.*]] = linalg.exp ins(%[[A]] : {{.*}}) outs(%[[A]]
// CHECK: %[[OWN:.*]] = bufferization.alloc_tensor
// CHECK: linalg.negf ins(%[[B]] : {{.*}}) outs(%[[OWN]]
func.func private @made(%x: tensor<16xf32>) -> memref<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.abs ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %f = tensor.empty() : tensor<16xf32>
  %b = linalg.exp ins(%a : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %g = tensor.empty() : tensor<16xf32>
  %c = linalg.negf ins(%b : tensor<16xf32>) outs(%g : tensor<16xf32>) -> tensor<16xf32>
  %m = bufferization.to_buffer %c : tensor<16xf32> to memref<16xf32>
  return %m : memref<16xf32>
}

// In the blocks behind, too.
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<16xf32>, %go: i1) -> (f32, f32) {
  %c3 = arith.constant 3 : index
  %o = call @made(%x) : (tensor<16xf32>) -> memref<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.abs ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %f = tensor.empty() : tensor<16xf32>
  %b = linalg.exp ins(%a : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %m = bufferization.to_buffer %b read_only : tensor<16xf32> to memref<16xf32>
  cf.cond_br %go, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  %u = memref.load %m[%c3] : memref<16xf32>
  %w = memref.load %o[%c3] : memref<16xf32>
  return %u, %w : f32, f32
}
