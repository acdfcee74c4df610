// RUN: pebble-opt %s --pebble-group-steps="backend=xla-cpu" | FileCheck %s --check-prefixes=BOTH,CPU
// RUN: pebble-opt %s --pebble-group-steps="backend=xla-gpu" | FileCheck %s --check-prefixes=BOTH,GPU

// XLA on CPU gathers into memory. XLA for a GPU gathers where the rows are read.
// BOTH-LABEL: func.func @rows_are_negated
// CPU: %[[R:.*]] = pebble.step
// CPU: gather
// CPU: yield
// CPU: pebble.step %[[R]]
// GPU: pebble.step %arg0, %arg1
// GPU: gather
// GPU-NOT: yield
// GPU: negate
// BOTH: reduce
// BOTH: return
func.func @rows_are_negated(%x: tensor<64x8xf32>, %i: tensor<16x1xi32>) -> tensor<16xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<64x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
  %1 = "stablehlo.negate"(%0) : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %2 = "stablehlo.reduce"(%1, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<16x8xf32>, tensor<f32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// What a product reads is in memory for both.
// BOTH-LABEL: func.func @a_product_reads_memory
// BOTH: %[[D:.*]] = pebble.step %arg0
// BOTH: add
// BOTH: yield
// BOTH: pebble.step %[[D]], %arg1
// BOTH: dot_general
func.func @a_product_reads_memory(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.add"(%x, %x) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = "stablehlo.dot_general"(%0, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
