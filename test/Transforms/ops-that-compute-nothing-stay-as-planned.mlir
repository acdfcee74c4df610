// Canonicalisation would forward what a copy, a body that only yields, or two
// transpositions are given: a buffer would be read beyond its planned end. What a plan
// counts on is hidden from it, so that plan and addresses still hold.
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 -cse -canonicalize --pebble-verify-schedule -o %t.planned
// RUN: FileCheck %s --input-file=%t.planned
// RUN: pebble-opt %s --pebble-order-operations --pebble-plan-addresses -cse -canonicalize --pebble-verify-addresses | FileCheck %s
// RUN: pebble-run %s --poison --json=%t.before
// RUN: grep -o 'results_sha256": "[0-9a-f]*' %t.before > %t.hash
// RUN: pebble-run %t.planned --poison --json=%t.after && grep -F -f %t.hash %t.after

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: pebble.extent
// CHECK: linalg.exp
// CHECK: linalg.generic
// CHECK: linalg.add
// CHECK: linalg.generic
// CHECK: linalg.mul
// CHECK: linalg.transpose
// CHECK: linalg.transpose
// CHECK: linalg.generic
// CHECK: linalg.sub
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.copy ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.add ins(%b, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  %f = linalg.mul ins(%d, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.transpose ins(%f : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %u = linalg.transpose ins(%t : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %v = linalg.transpose ins(%u : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [0, 1]
  %r = linalg.sub ins(%v, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
