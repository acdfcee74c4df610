// RUN: pebble-opt %s --split-input-file --verify-diagnostics --pebble-to-stablehlo

// XLA's host is one tier: the next one after the device.
module attributes {pebble.hierarchy = #pebble.hierarchy<[
  #pebble.tier<"hbm", kind = explicit>, #pebble.tier<"host", kind = explicit>, #pebble.tier<"disk", kind = explicit>]>} {
func.func @to_the_disk(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{StableHLO has no form for this; whole tensors move between the device and the first tier below it, and nothing else does}}
  %copy, %t = pebble.store %x : tensor<8xf32> -> tensor<8xf32, #pebble.at<"disk">>
  %away = pebble.wait %t for %copy : tensor<8xf32, #pebble.at<"disk">>
  %back, %u = pebble.load %away : tensor<8xf32, #pebble.at<"disk">> -> tensor<8xf32>
  %y = pebble.wait %u for %back : tensor<8xf32>
  return %y : tensor<8xf32>
}
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[
  #pebble.tier<"hbm", kind = explicit>, #pebble.tier<"host", kind = explicit>]>} {
func.func @compressed(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{StableHLO has no form for this}}
  %copy, %t = pebble.store %x : tensor<8xf32> -> tensor<8xf32, #pebble.at<"host", compress = bits>>
  %away = pebble.wait %t for %copy : tensor<8xf32, #pebble.at<"host", compress = bits>>
  %back, %u = pebble.load %away : tensor<8xf32, #pebble.at<"host", compress = bits>> -> tensor<8xf32>
  %y = pebble.wait %u for %back : tensor<8xf32>
  return %y : tensor<8xf32>
}
}
