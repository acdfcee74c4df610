// RUN: pebble-opt %s --pebble-print-storage -o /dev/null | FileCheck %s
// RUN: pebble-opt %s --pebble-pure=declared --pebble-print-storage -o /dev/null | FileCheck %s --check-prefix=DECLARED

// A table says which operations of StableHLO have effects. What it lacks, and
// what calls code from elsewhere, keeps its place.

// CHECK-LABEL: storage of @pure_ones_are_no_barriers:
// CHECK-NOT: barrier
// CHECK: s{{[0-9]+}} constant
// CHECK-NOT: barrier
// CHECK-LABEL: storage of @a_reshape_is_a_view:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %y: 64 bytes, outlives
// CHECK-NEXT:   step 0 stablehlo.negate %y: reads s0, writes s1
func.func @pure_ones_are_no_barriers(%x: tensor<16xf32>) -> tensor<16xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %sum = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
  %wide = "stablehlo.broadcast_in_dim"(%sum) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
  %y = "chlo.erf"(%wide) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

func.func @a_reshape_is_a_view(%x: tensor<16xf32>) -> tensor<4x4xf32> {
  %v = "stablehlo.reshape"(%x) : (tensor<16xf32>) -> tensor<4x4xf32>
  %y = "stablehlo.negate"(%v) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// CHECK-LABEL: storage of @effects_keep_their_place:
// CHECK: barrier: 'stablehlo.custom_call' calls 'declared', which nobody declared free of effects
// CHECK: barrier: 'stablehlo.custom_call' calls 'other', which nobody declared free of effects
// CHECK: barrier: 'stablehlo.all_reduce' communicates
// CHECK: barrier: 'stablehlo.rng' draws random numbers from a state that nobody sees
// CHECK: barrier: 'stablehlo.from_the_future' is not in the table of StableHLO's operations and may have any effect
// DECLARED-LABEL: storage of @effects_keep_their_place:
// DECLARED-NOT: 'declared'
// DECLARED: barrier: 'stablehlo.custom_call' calls 'other'
func.func @effects_keep_their_place(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "declared"}> : (tensor<16xf32>) -> tensor<16xf32>
  %1 = "stablehlo.custom_call"(%0) <{call_target_name = "other"}> : (tensor<16xf32>) -> tensor<16xf32>
  %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  %3 = "stablehlo.rng"(%2, %2, %2) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %4 = "stablehlo.from_the_future"(%3) : (tensor<16xf32>) -> tensor<16xf32>
  return %4 : tensor<16xf32>
}

// A loop is as pure as what it holds.
// CHECK-LABEL: storage of @a_loop_has_the_effects_of_its_body:
// CHECK-NEXT: s0
// CHECK-NEXT: s1
// CHECK-NEXT: s2
// CHECK-NEXT: step 0 stablehlo.while
// CHECK-NEXT: step 1 stablehlo.while
// CHECK-NEXT: barrier: 'stablehlo.custom_call' calls 'other'
func.func @a_loop_has_the_effects_of_its_body(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<16xf32>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<16xf32>):
    %b = "stablehlo.negate"(%a) : (tensor<16xf32>) -> tensor<16xf32>
    "stablehlo.return"(%b) : (tensor<16xf32>) -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = "stablehlo.while"(%0) ({
  ^bb0(%a: tensor<16xf32>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<16xf32>):
    %b = "stablehlo.custom_call"(%a) <{call_target_name = "other"}> : (tensor<16xf32>) -> tensor<16xf32>
    "stablehlo.return"(%b) : (tensor<16xf32>) -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
