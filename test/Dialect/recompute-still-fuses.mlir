// RUN: pebble-opt %s --linalg-fuse-elementwise-ops | FileCheck %s

// A recomputed op is opaque on its operands, not on its result: it fuses with
// what uses it.
#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @a_clone_fuses_with_its_user(
// CHECK:         %[[X:.*]] = pebble.opaque
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<8xf32>)
// CHECK:           math.exp
// CHECK:           arith.negf
// CHECK-NOT:     linalg.generic
func.func @a_clone_fuses_with_its_user(%x: tensor<8xf32>, %d: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %x2 = pebble.opaque %x : tensor<8xf32>
  %d2 = pebble.opaque %d : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x2 : tensor<8xf32>) outs(%d2 : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %3 = arith.negf %a : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
