// A clean-up moves a reshape from behind a fill to its destination. The
// destination is the allocation that was planned all the same.
// RUN: pebble-opt %s --pebble-plan-addresses -canonicalize --pebble-renew-addresses -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %t.mlir --seed=3 --poison --json=%t.after
// RUN: pebble-run %s --seed=3 --json=%t.before
// RUN: grep -o 'results_sha256": "[0-9a-f]*' %t.before > %t.hash
// RUN: grep -F -f %t.hash %t.after
// RUN: pebble-opt %t.mlir --pebble-materialize-storage | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: %[[WHOLE:.*]] = bufferization.alloc_tensor() {pebble.offset = {{[0-9]+}} : i64} : tensor<4x4xi32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[WHOLE]]
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[FLAT]] : tensor<16xi32>)
func.func @main(%n: i32, %x: memref<16xi32> {llvm.noalias}) {
  %e = tensor.empty() : tensor<4x4xi32>
  %t = linalg.fill ins(%n : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xi32> into tensor<16xi32>
  %shown = bufferization.to_buffer %flat read_only : tensor<16xi32> to memref<16xi32>
  linalg.copy ins(%shown : memref<16xi32>) outs(%x : memref<16xi32>)
  return
}
