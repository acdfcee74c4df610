// An insertion that covers all is folded before anything is planned, and that a
// slice takes out what was inserted is hidden from canonicalisation: afterwards
// a buffer would be read beyond its planned end, and lie where another one lies.
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 -cse -canonicalize --pebble-verify-schedule -o %t.planned
// RUN: FileCheck %s --input-file=%t.planned
// RUN: pebble-opt %s --pebble-order-operations --pebble-plan-addresses -cse -canonicalize --pebble-verify-addresses | FileCheck %s --check-prefix=ORDERED
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 --pebble-reuse-operands -o %t.reused
// RUN: pebble-run %s --entry=all --poison --json=%t.before
// RUN: grep -o 'results_sha256": "[0-9a-f]*' %t.before > %t.hash
// RUN: pebble-run %t.planned --entry=all --poison --json=%t.after && grep -F -f %t.hash %t.after
// RUN: pebble-run %t.reused --entry=all --poison --json=%t.after && grep -F -f %t.hash %t.after

// The slice is still one of the whole.
// CHECK-LABEL: func @all
// CHECK: pebble.opaque
// CHECK: tensor.extract_slice
// CHECK: return
// ORDERED-LABEL: func @all
// ORDERED-SAME: pebble.extent
func.func @all(%x: tensor<8x8xf32>, %y: tensor<8x32xf32>) -> (tensor<8x8xf32>, tensor<8x32xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %f = tensor.empty() : tensor<8x32xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.exp ins(%y : tensor<8x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  %i = tensor.insert_slice %a into %d[0, 8] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x32xf32>
  %b = linalg.abs ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %covered = tensor.insert_slice %b into %e[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x8xf32>
  %c = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c2 = linalg.negf ins(%c : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c3 = linalg.add ins(%c2, %covered : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.extract_slice %i[0, 8] [8, 8] [1, 1] : tensor<8x32xf32> to tensor<8x8xf32>
  %r = linalg.add ins(%s, %c3 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %i : tensor<8x8xf32>, tensor<8x32xf32>
}
