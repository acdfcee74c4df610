// RUN: pebble-opt %s --pebble-schedule="budget-percent=100 dim-bound=64" | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule="budget-percent=100 dim-bound=64" --pebble-verify-schedule=dim-bound=64 -o /dev/null

// A view of a view of what is dropped, with no use: both go.
// CHECK-LABEL: func @dead_view_of_a_dead_view
// CHECK: math.sin
// CHECK: pebble.drop
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @dead_view_of_a_dead_view(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = math.sin %x : tensor<64xf32>
  %v = tensor.extract_slice %a[2] [8] [1] : tensor<64xf32> to tensor<8xf32>
  %w = tensor.extract_slice %v[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %u = tensor.expand_shape %w [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %b = math.cos %x : tensor<64xf32>
  %c = math.cos %b : tensor<64xf32>
  return %c : tensor<64xf32>
}

// A size is asked for, of the value or of a view, when its buffer is over.
// CHECK-LABEL: func @size_of_what_is_dropped
// CHECK: linalg.exp
// CHECK: %[[A:.*]] = linalg.negf
// CHECK: %[[V:.*]] = tensor.extract_slice
// CHECK-DAG: tensor.dim %[[V]]
// CHECK-DAG: tensor.dim %[[A]]
// CHECK: pebble.drop %[[A]]
// CHECK: arith.addi
func.func @size_of_what_is_dropped(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %o = tensor.empty(%d) : tensor<?xf32>
  %a = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %q = linalg.negf ins(%a : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %v = tensor.extract_slice %q[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %dead = tensor.dim %v, %c0 : tensor<?xf32>
  %b = linalg.abs ins(%q : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %d0 = tensor.dim %v, %c0 : tensor<?xf32>
  %d1 = tensor.dim %q, %c0 : tensor<?xf32>
  %s = arith.addi %d0, %d1 : index
  return %b, %s : tensor<?xf32>, index
}
