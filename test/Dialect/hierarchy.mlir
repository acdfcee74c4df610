// RUN: pebble-opt %s --verify-roundtrip | FileCheck %s
// RUN: pebble-opt %s --emit-bytecode | pebble-opt | FileCheck %s

// CHECK: pebble.hierarchy = #pebble.hierarchy<[<"l1", kind = cache, capacity = 65536, read = 5000, write = 5000>, <"hbm", kind = explicit, capacity = 100000, read = 160000, write = 160000>, <"host", kind = explicit, read = 1, bandwidth = 16000, latency = 80>], inclusion = inclusive, compute = 900, name = "small">
// CHECK-SAME: some.tier = #pebble.tier<"l2", kind = cache, capacity = 64>
#device = #pebble.hierarchy<[
  <"l1", kind = cache, capacity = 65536, read = 5000, write = 5000>,
  #pebble.tier<"hbm", kind = explicit, read = 160000, write = 160000, capacity = 100000>,
  <"host", kind = explicit, read = 1, latency = 80, bandwidth = 16000>
], inclusion = inclusive, compute = 900, name = "small">
module attributes {pebble.hierarchy = #device, some.tier = #pebble.tier<"l2", kind = cache, capacity = 64>} {

  // CHECK: @placements(tensor<8xf32, #pebble.at<"host">>, memref<?xf32, #pebble.at<"hbm">>)
  func.func private @placements(tensor<8xf32, #pebble.at<"host">>, memref<?xf32, #pebble.at<"hbm">>)

  // CHECK: @wishes(%{{.*}}: tensor<8xf32> {pebble.donated, pebble.name = "x", pebble.range = [0, 4]}, %{{.*}}: f32 {pebble.range = [-1.0{{.*}} : f32, 1.0{{.*}} : f32]})
  // CHECK-SAME: pebble.result = {cost = 3 : i64, status = "optimal"}
  func.func @wishes(%x: tensor<8xf32> {pebble.donated, pebble.name = "x", pebble.range = [0, 4]},
                    %s: f32 {pebble.range = [-1.0 : f32, 1.0 : f32]}) -> (tensor<8xf32> {pebble.name = "y"})
      attributes {pebble.result = {status = "optimal", cost = 3 : i64}} {
    // CHECK: {pebble.cost = 3 : i64, pebble.keep, pebble.name = "y", pebble.order = 0 : i64}
    %0 = "any.op"(%x, %s) {pebble.keep, pebble.cost = 3 : i64, pebble.order = 0 : i64, pebble.name = "y"} : (tensor<8xf32>, f32) -> tensor<8xf32>
    // CHECK: {pebble.offload = "host"}
    %1 = "any.op"(%0) {pebble.offload = "host"} : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK: {pebble.recompute, pebble.tier = "host"}
    %2 = "any.op"(%1) {pebble.recompute, pebble.tier = "host"} : (tensor<8xf32>) -> tensor<8xf32>
    return %2 : tensor<8xf32>
  }
}
