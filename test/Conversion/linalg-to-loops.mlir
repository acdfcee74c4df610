// RUN: pebble-opt %s --split-input-file --pebble-linalg-to-loops --canonicalize | FileCheck %s

// Operands are walked in the order of memory where one order of the loops can
// do that, so that each cache line is fetched once. No sum changes its order.

// The rows are walked although the result has only the outer dimension.
// CHECK-LABEL: @matrix_vector_walks_rows
// CHECK: call @pebble_kernel
// CHECK: func private @pebble_kernel
// CHECK: scf.for %[[j:.*]] =
// CHECK-NEXT: scf.for %[[i:.*]] =
// CHECK: memref.load %arg0[%[[j]], %[[i]]]
func.func @matrix_vector_walks_rows(%w: memref<16x12xf32>, %x: memref<12xf32>, %y: memref<16xf32>) {
  linalg.matvec ins(%w, %x : memref<16x12xf32>, memref<12xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

// Here the reduction would walk columns, and the result's dimension walks rows.
// CHECK-LABEL: @vector_matrix_walks_rows
// CHECK: call @pebble_kernel
// CHECK: func private @pebble_kernel
// CHECK: scf.for %[[i:.*]] =
// CHECK-NEXT: scf.for %[[j:.*]] =
// CHECK: memref.load %arg1[%[[i]], %[[j]]]
func.func @vector_matrix_walks_rows(%x: memref<12xf32>, %w: memref<12x16xf32>, %y: memref<16xf32>) {
  linalg.vecmat ins(%x, %w : memref<12xf32>, memref<12x16xf32>) outs(%y : memref<16xf32>)
  return
}

// -----

// CHECK-LABEL: @matrix_matrix_runs_the_result_innermost
// CHECK: call @pebble_kernel
// CHECK: func private @pebble_kernel
// CHECK: scf.for %[[i:.*]] =
// CHECK-NEXT: scf.for %[[k:.*]] =
// CHECK-NEXT: scf.for %[[j:.*]] =
// CHECK: memref.load %arg0[%[[i]], %[[k]]]
// CHECK: memref.load %arg1[%[[k]], %[[j]]]
func.func @matrix_matrix_runs_the_result_innermost(%a: memref<16x12xf32>, %b: memref<12x16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x12xf32>, memref<12x16xf32>) outs(%c : memref<16x16xf32>)
  return
}
