// RUN: not pebble-opt %s --pebble-to-stablehlo 2>&1 | FileCheck %s

// CHECK: [[#@LINE+4]]:{{.*}}: error: {{.*}}StableHLO has no form for this; plan with means=recompute
module attributes {pebble.hierarchy = #pebble.hierarchy<[
  #pebble.tier<"fast", kind = explicit>, #pebble.tier<"slow", kind = explicit>]>} {
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %copy, %t = pebble.store %x : tensor<8xf32> -> tensor<8xf32, #pebble.at<"slow">>
  %away = pebble.wait %t for %copy : tensor<8xf32, #pebble.at<"slow">>
  %back, %u = pebble.load %away : tensor<8xf32, #pebble.at<"slow">> -> tensor<8xf32>
  %y = pebble.wait %u for %back : tensor<8xf32>
  return %y : tensor<8xf32>
}
}
