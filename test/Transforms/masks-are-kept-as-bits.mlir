// RUN: pebble-opt --quiet %s --split-input-file --pebble-schedule="budget=82% derived-forms=true" --pebble-verify-schedule | FileCheck %s
// RUN: pebble-opt --quiet %s --split-input-file --pebble-schedule="budget=82% derived-forms=true" -cse -canonicalize --pebble-verify-schedule | FileCheck %s
// RUN: pebble-opt --quiet %s --split-input-file --pebble-schedule="budget=82%" | FileCheck %s --check-prefix=WITHOUT
// RUN: pebble-opt --quiet %s --split-input-file --pebble-schedule="budget=82% derived-forms=true" --remarks-filter=pebble-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: pebble-opt %s --split-input-file --pebble-schedule="budget=82% derived-forms=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: pebble-opt --quiet %s --split-input-file --pebble-schedule="budget=100% derived-forms=true" | FileCheck %s --check-prefix=ROOM

#id = affine_map<(a) -> (a)>

// The gradient of a rectifier reads `v` only to compare it. Without forms `v` is
// computed again. With them the comparison stands apart, early, and its bits are
// kept. Where there is room nothing changes.
// CHECK-LABEL: func @rectified
// CHECK-SAME: cost = 154624 : i64
// CHECK-SAME: peak_bytes = 66048 : i64
// CHECK-SAME: status = "feasible"
// CHECK-SAME: derived_bytes = 16384 : i64, derived_values = 1 : i64
// CHECK: %[[V:.*]] = linalg.tanh {pebble.name = "v"}
// CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[V]] : tensor<4096xf32>) outs({{.*}} : tensor<4096xi1>)
// CHECK: arith.cmpf ogt
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<512xi8>)
// CHECK-DAG: pebble.drop %[[M]]
// CHECK-DAG: pebble.drop %[[V]]
// CHECK-NOT: linalg.tanh
// CHECK: %[[C:.*]] = linalg.exp {pebble.name = "c"}
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<512xi8>) outs({{.*}} : tensor<4096xi1>)
// CHECK: linalg.generic {{.*}} ins(%[[B]], %[[C]] : tensor<4096xi1>, tensor<4096xf32>) outs({{.*}}) attrs = {pebble.name = "g"}
// CHECK-NEXT: ^bb0(%[[BIT:.*]]: i1, %[[G:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: arith.select %[[BIT]], %[[G]], %
// WITHOUT-LABEL: func @rectified
// WITHOUT-SAME: cost = 180224 : i64
// WITHOUT: linalg.tanh
// WITHOUT: linalg.tanh
// REMARK: Bytes=16384, FormBytes=512, Remark="v is kept in a form of 512 bytes instead of 16384"
// LINE: @rectified: {{.*}}moved 0, derived 1 (16.0 KiB);
// ROOM-LABEL: func @rectified
// ROOM-SAME: status = "optimal"
// ROOM-NOT: i8
func.func @rectified(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %v = linalg.tanh {pebble.name = "v"} ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], pebble.name = "h"} ins(%v : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%i: f32, %o: f32):
    %t = arith.maximumf %i, %zero : f32
    linalg.yield %t : f32
  } -> tensor<4096xf32>
  %a = linalg.exp {pebble.name = "a"} ins(%h : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %b = linalg.mul {pebble.name = "b"} ins(%a, %h : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %c = linalg.exp {pebble.name = "c"} ins(%b : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"], pebble.name = "g"} ins(%v, %c : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.cmpf ogt, %i, %zero : f32
    %t = arith.select %m, %j, %zero : f32
    linalg.yield %t : f32
  } -> tensor<4096xf32>
  return %g : tensor<4096xf32>
}
