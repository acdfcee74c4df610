// RUN: pebble-opt %s --pebble-to-stablehlo | FileCheck %s

// A value that waits on the host is named to XLA's host offloader, there and back.
// A move begins after the newest result, and is waited for where it is read.
// CHECK-LABEL: func.func @f
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>
// CHECK-NEXT: %[[Y:.*]] = "stablehlo.sine"(%[[X]])
// CHECK-NEXT: %[[F:.*]]:2 = "stablehlo.optimization_barrier"(%[[X]], %[[Y]])
// CHECK-NEXT: %[[AWAY:.*]] = "stablehlo.custom_call"(%[[F]]#0) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[G:.*]] = "stablehlo.optimization_barrier"(%[[F]]#1)
// CHECK-NEXT: %[[Z:.*]] = "stablehlo.cosine"(%[[G]])
// CHECK-NEXT: %[[H:.*]]:2 = "stablehlo.optimization_barrier"(%[[AWAY]], %[[Z]])
// CHECK-NEXT: %[[BACK:.*]] = "stablehlo.custom_call"(%[[H]]#0) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[I:.*]]:2 = "stablehlo.optimization_barrier"(%[[H]]#1, %[[BACK]])
// CHECK-NEXT: %[[R:.*]] = "stablehlo.add"(%[[I]]#0, %[[I]]#1)
// CHECK-NEXT: return %[[R]]
// CHECK-NOT: pebble
module attributes {pebble.hierarchy = #pebble.hierarchy<[
  #pebble.tier<"hbm", kind = explicit>, #pebble.tier<"host", kind = explicit>]>} {
func.func @f(%x: tensor<8xf32> {pebble.donated}) -> tensor<8xf32> {
  %y = "stablehlo.sine"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %copy, %t = pebble.store %x : tensor<8xf32> -> tensor<8xf32, #pebble.at<"host">>
  %away = pebble.wait %t for %copy : tensor<8xf32, #pebble.at<"host">>
  pebble.drop %x : tensor<8xf32>
  %z = "stablehlo.cosine"(%y) : (tensor<8xf32>) -> tensor<8xf32>
  %back, %u = pebble.load %away : tensor<8xf32, #pebble.at<"host">> -> tensor<8xf32>
  %again = pebble.wait %u for %back : tensor<8xf32>
  %r = "stablehlo.add"(%z, %again) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
}
