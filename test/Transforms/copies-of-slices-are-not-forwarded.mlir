// An op that hands on what it reads of a slice makes a small copy of it.
// Canonicalisation would put the slice in its place, and the whole buffer would
// live for as long as the part: a budget that was kept would be no more. So the
// op stays, as it is, with its name and its cost.
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 -o %t.planned
// RUN: pebble-opt %t.planned -cse -canonicalize --pebble-verify-schedule | FileCheck %s
// RUN: pebble-run %s --poison --json=%t.before
// RUN: grep -o 'results_sha256": "[0-9a-f]*' %t.before > %t.hash
// RUN: pebble-opt %t.planned -cse -canonicalize -o %t.clean
// RUN: pebble-run %t.clean --poison --json=%t.after && grep -F -f %t.hash %t.after
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.after
// It may still run again, and is no barrier.
// RUN: pebble-opt %t.clean --pebble-print-storage -o /dev/null | FileCheck %s --check-prefix=STORAGE
// STORAGE-NOT: barrier


// CHECK: linalg.generic
// CHECK-SAME: pebble.cost = 7 : i64, pebble.name = "part"
// CHECK: pebble.opaque
// JSON: "peak_bytes": {
// JSON-NEXT: "default": 16896
#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @main(%x: tensor<8x256xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %ew = tensor.empty() : tensor<8x256xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %w = linalg.exp ins(%x : tensor<8x256xf32>) outs(%ew : tensor<8x256xf32>) -> tensor<8x256xf32>
  %s = tensor.extract_slice %w[0, 16] [8, 8] [1, 1] : tensor<8x256xf32> to tensor<8x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>)
      attrs = {pebble.cost = 7 : i64, pebble.name = "part"} {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  %v = linalg.abs ins(%x : tensor<8x256xf32>) outs(%ew : tensor<8x256xf32>) -> tensor<8x256xf32>
  %t = tensor.extract_slice %v[0, 16] [8, 8] [1, 1] : tensor<8x256xf32> to tensor<8x8xf32>
  %b = linalg.add ins(%t, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %a, %b : tensor<8x8xf32>, tensor<8x8xf32>
}
