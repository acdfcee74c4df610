// A table says what operations of StableHLO do, and the option takes more than
// those as pure.
// RUN: pebble-opt %s --pebble-pure=stablehlo -o /dev/null --pebble-group-steps 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: pebble-opt %s --pebble-pure=mine -o /dev/null --pebble-group-steps 2>&1 | FileCheck %s --check-prefix=TARGET --allow-empty

// CHECK: warning: --pure=stablehlo is not needed: a table says what operations of stablehlo do. It takes custom calls and collectives as free of effects too
// TARGET-NOT: {{warning|remark}}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "mine"}> : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.tanh"(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
