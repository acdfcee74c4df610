// RUN: pebble-opt --pebble-decompose --split-input-file %s | FileCheck %s
// RUN: pebble-opt --pebble-decompose --split-input-file %s > %t.once
// RUN: pebble-opt --pebble-decompose --split-input-file %t.once | diff %t.once -

// CHECK-LABEL: @pad_fills_and_inserts
func.func @pad_fills_and_inserts(%x: tensor<4xf32>, %zero: f32) -> tensor<7xf32> {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<7xf32>
  // CHECK: %[[F:.*]] = linalg.fill {{.*}} outs(%[[E]]
  // CHECK: tensor.insert_slice %{{.*}} into %[[F]][1] [4] [1]
  // CHECK-NOT: tensor.pad
  %y = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %y : tensor<7xf32>
}

// -----

// CHECK-LABEL: @generate_becomes_structured
func.func @generate_becomes_structured() -> tensor<7xindex> {
  // CHECK: tensor.empty
  // CHECK: linalg.generic
  // CHECK: linalg.index
  %y = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<7xindex>
  return %y : tensor<7xindex>
}

// -----

// CHECK-LABEL: @elements_are_inserted
func.func @elements_are_inserted(%a: f32, %b: f32) -> tensor<2xf32> {
  // CHECK: tensor.empty
  // CHECK: tensor.insert
  // CHECK: tensor.insert
  %y = tensor.from_elements %a, %b : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: @concatenation_inserts_slices
func.func @concatenation_inserts_slices(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  // CHECK: tensor.empty
  // CHECK: tensor.insert_slice %{{.*}}[0] [2] [1]
  // CHECK: tensor.insert_slice %{{.*}}[2] [3] [1]
  %y = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

// A strided slice cannot be collapsed where it stands, a contiguous one can.
// CHECK-LABEL: @collapsed_slice_is_copied_where_it_must_be
func.func @collapsed_slice_is_copied_where_it_must_be(%x: tensor<4x6xf32>) -> (tensor<8xf32>, tensor<12xf32>) {
  // CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 0] [4, 2]
  // CHECK: %[[C:.*]] = linalg.copy ins(%[[S]]
  // CHECK: tensor.collapse_shape %[[C]]
  // CHECK-NOT: linalg.copy
  %s = tensor.extract_slice %x[0, 0] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %t = tensor.extract_slice %x[1, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
  %d = tensor.collapse_shape %t [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
  return %c, %d : tensor<8xf32>, tensor<12xf32>
}

// -----

// CHECK-LABEL: @softmax_becomes_structured
func.func @softmax_becomes_structured(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK-NOT: linalg.softmax
  // CHECK: linalg.generic
  %d = tensor.empty() : tensor<2x8xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<2x8xf32>) outs(%d : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}
