// RUN: pebble-opt %s --target=h100-approx --pebble-raise-loops --pebble-checkpoint-loops="slots=1 slow-slots=2" --pebble-loops-to-stablehlo --pebble-check-runs=original=%s | FileCheck %s
// RUN: pebble-opt %s --target=h100-approx --pebble-raise-loops --pebble-checkpoint-loops="schedule=two-tier slots=1 slow-slots=2" --pebble-loops-to-stablehlo --pebble-check-runs=original=%s --pebble-to-stablehlo | FileCheck %s --check-prefix=TABLE

// A schedule for two tiers is read from a table of numbers. The last pass leaves
// nothing of Pebble.
// TABLE-NOT: {{index>|pebble\.}}
// TABLE: "stablehlo.constant"() <{value = dense<{{.*}}> : tensor<{{[0-9]+}}x3xi64>}>
// TABLE-NOT: {{index>|pebble\.}}

// Slots in a slower tier are an array that XLA's host offloader is told of: what
// is written there was brought to the host, and what is read is brought back. The
// driver is proven to compute what the loops did.
// CHECK-LABEL: func.func @main
// CHECK-NOT: pebble.at
// CHECK: %[[AWAY:.*]] = "stablehlo.custom_call"(%{{.*}}) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: %[[PART:.*]] = "stablehlo.reshape"(%[[AWAY]]) : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK: "stablehlo.dynamic_update_slice"(%{{.*}}, %[[PART]], %{{.*}}, %{{.*}})
// CHECK: %[[SLOT:.*]] = "stablehlo.dynamic_slice"({{.*}} : (tensor<2x4xf32>, {{.*}}) -> tensor<1x4xf32>
// CHECK: %[[STATE:.*]] = "stablehlo.reshape"(%[[SLOT]]) : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK: "stablehlo.custom_call"(%[[STATE]]) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "device"}}
// CHECK-NOT: pebble.{{save|restore}}

func.func @main(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
  %c3 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
  %c4 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
  %t0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
  %f:3 = "stablehlo.while"(%c0, %x, %t0) ({
  ^bb0(%i: tensor<i64>, %s: tensor<4xf32>, %t: tensor<4x4xf32>):
    %more = "stablehlo.compare"(%i, %c4) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i64>, %s: tensor<4xf32>, %t: tensor<4x4xf32>):
    %p = "stablehlo.reshape"(%s) : (tensor<4xf32>) -> tensor<1x4xf32>
    %u = "stablehlo.dynamic_update_slice"(%t, %p, %i, %c0) : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
    %next = "stablehlo.sine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%j, %next, %u) : (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>) -> ()
  }) : (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>)
  %g:3 = "stablehlo.while"(%c0, %dy, %f#2) ({
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>, %t: tensor<4x4xf32>):
    %more = "stablehlo.compare"(%i, %c4) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>, %t: tensor<4x4xf32>):
    %k = "stablehlo.subtract"(%c3, %i) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %p = "stablehlo.dynamic_slice"(%t, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
    %s = "stablehlo.reshape"(%p) : (tensor<1x4xf32>) -> tensor<4xf32>
    %cos = "stablehlo.cosine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %b = "stablehlo.multiply"(%a, %cos) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%j, %b, %t) : (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>) -> ()
  }) : (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>)
  return %f#1, %g#1 : tensor<4xf32>, tensor<4xf32>
}
