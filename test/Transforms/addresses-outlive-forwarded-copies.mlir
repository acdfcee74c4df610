// Canonicalisation forwards what a body only hands on, and takes out what turns
// and turns back. A buffer is then read beyond its planned end, where another
// one lies already. So the addresses are planned again: on the way down, or by a
// pass.
// RUN: pebble-opt %s --pebble-order-operations --pebble-plan-addresses -cse -canonicalize -o %t.clean
// RUN: not pebble-opt %t.clean --pebble-verify-addresses 2>&1 | FileCheck %s --check-prefix=OUTDATED
// RUN: pebble-opt %t.clean --pebble-renew-addresses --pebble-verify-addresses --remarks-filter=pebble-renew-addresses 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,REMARK
// RUN: pebble-run %s --poison --json=%t.before
// RUN: grep -o 'results_sha256": "[0-9a-f]*' %t.before > %t.hash
// RUN: pebble-run %t.clean --poison --json=%t.after && grep -F -f %t.hash %t.after
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.after
// Other plans, and other passes, come to the same.
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 -canonicalize -o %t.planned
// RUN: pebble-run %t.planned --poison --json=%t.after && grep -F -f %t.hash %t.after
// RUN: pebble-opt %s -cse -canonicalize --pebble-plan-addresses -cse -canonicalize --pebble-verify-addresses -o %t.twice
// RUN: pebble-run %t.twice --poison --json=%t.after && grep -F -f %t.hash %t.after

// OUTDATED: error: [D44] a buffer of 256 bytes at offset {{.*}} overlaps another one that is live at the same time
// OUTDATED: note: the function has changed after its addresses were planned; pebble-renew-addresses plans them again
// REMARK: remark: {{.*}}the buffers in tier 'default' take {{[0-9]+}} bytes as one block
// CHECK-LABEL: func.func @main
// CHECK-SAME: pebble.extent
// CHECK-SAME: pebble.lives = "{{[0-9a-f]+}}"
// CHECK-NOT: linalg.generic
// CHECK-NOT: linalg.transpose
// JSON: "extent_bytes": {
// JSON-NEXT: "default": [[EXTENT:[0-9]+]]
// JSON: "predicted_extent_bytes": {
// JSON-NEXT: "default": [[EXTENT]]
#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.copy ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.add ins(%b, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  %f = linalg.mul ins(%d, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.transpose ins(%f : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %u = linalg.transpose ins(%t : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %v = linalg.add ins(%u, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.sub ins(%v, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
