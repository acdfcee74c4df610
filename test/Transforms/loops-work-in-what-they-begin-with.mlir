// RUN: pebble-opt %s --pebble-group-steps | FileCheck %s
// RUN: pebble-opt %s --pebble-group-steps --pebble-schedule="budget-percent=100" | FileCheck %s --check-prefix=PLAN

// XLA carries a tuple in place, so that a loop overwrites what it is given to
// begin with. A state that nobody reads afterwards is overwritten all the same:
// the step yields it, and says where it lies.

// CHECK-LABEL: func.func @a_state_that_dies_in_the_loop
// CHECK: %[[H:.*]] = pebble.step %arg0
// CHECK: pebble.step %arg1, %[[H]] {overwrites = array<i64: -1, 1>
// CHECK-SAME: -> (tensor<f32>, tensor<64xf32>)
// The arguments (256 and 64 bytes), the state once, a number, and what the body
// makes (256 and 64).
// PLAN-LABEL: func.func @a_state_that_dies_in_the_loop
// PLAN-SAME: peak_bytes = 960
func.func @a_state_that_dies_in_the_loop(%x: tensor<64xf32>, %s: tensor<f32>) -> tensor<f32> {
  %h = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %r:3 = "stablehlo.while"(%s, %h, %s) ({
  ^bb0(%n: tensor<f32>, %state: tensor<64xf32>, %limit: tensor<f32>):
    %c = "stablehlo.compare"(%n, %limit) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%n: tensor<f32>, %state: tensor<64xf32>, %limit: tensor<f32>):
    %m = "stablehlo.negate"(%n) : (tensor<f32>) -> tensor<f32>
    %next = "stablehlo.negate"(%state) : (tensor<64xf32>) -> tensor<64xf32>
    "stablehlo.return"(%m, %next, %limit) : (tensor<f32>, tensor<64xf32>, tensor<f32>) -> ()
  }) : (tensor<f32>, tensor<64xf32>, tensor<f32>) -> (tensor<f32>, tensor<64xf32>, tensor<f32>)
  return %r#0 : tensor<f32>
}

// Somebody else reads the state after the loop: the loop has a copy, which is
// the buffer of the result.
// CHECK-LABEL: func.func @a_state_with_another_reader
// CHECK: %[[H:.*]] = pebble.step %arg0
// CHECK: pebble.step %[[H]] {overwrites = array<i64: 0>
// PLAN-LABEL: func.func @a_state_with_another_reader
// PLAN-SAME: peak_bytes = 1024
func.func @a_state_with_another_reader(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %h = "stablehlo.exponential"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %r = "stablehlo.while"(%h) ({
  ^bb0(%state: tensor<64xf32>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%state: tensor<64xf32>):
    %next = "stablehlo.negate"(%state) : (tensor<64xf32>) -> tensor<64xf32>
    "stablehlo.return"(%next) : (tensor<64xf32>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  return %h, %r : tensor<64xf32>, tensor<64xf32>
}

// What each iteration hands on as it came is not overwritten.
// CHECK-LABEL: func.func @what_is_only_read_stays
// CHECK: %[[H:.*]] = pebble.step %arg0
// CHECK: pebble.step %arg1, %[[H]] {overwrites = array<i64: 0>
// CHECK-SAME: -> tensor<64xf32> {
func.func @what_is_only_read_stays(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %h = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %r:2 = "stablehlo.while"(%y, %h) ({
  ^bb0(%state: tensor<64xf32>, %w: tensor<64xf32>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%state: tensor<64xf32>, %w: tensor<64xf32>):
    %next = "stablehlo.multiply"(%state, %w) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    "stablehlo.return"(%next, %w) : (tensor<64xf32>, tensor<64xf32>) -> ()
  }) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  return %r#0 : tensor<64xf32>
}

// One value for two states needs two buffers, and none of them is that of the
// value: which of the two it were, XLA decides.
// CHECK-LABEL: func.func @one_value_for_two_states
// CHECK: %[[H:.*]] = pebble.step %arg0
// CHECK: pebble.step %[[H]] {scratch = {{[0-9]+}} : i64} : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
func.func @one_value_for_two_states(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %h = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %r:2 = "stablehlo.while"(%h, %h) ({
  ^bb0(%state: tensor<64xf32>, %other: tensor<64xf32>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%state: tensor<64xf32>, %other: tensor<64xf32>):
    %next = "stablehlo.negate"(%state) : (tensor<64xf32>) -> tensor<64xf32>
    %sum = "stablehlo.add"(%state, %other) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    "stablehlo.return"(%next, %sum) : (tensor<64xf32>, tensor<64xf32>) -> ()
  }) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}

// What works in the buffer of the loop's result is in the place of its state
// too, unless it reads the state itself.
// CHECK-LABEL: func.func @what_follows_the_loop_in_place
// CHECK: %[[H:.*]] = pebble.step %arg0
// CHECK: pebble.step %[[H]] {overwrites = array<i64: 0>
// CHECK: stablehlo.while
// CHECK: stablehlo.cosine
// CHECK-LABEL: func.func @what_follows_reads_the_state
// CHECK: %[[H:.*]] = pebble.step %arg0
// CHECK: pebble.step %[[H]] {scratch = {{[0-9]+}} : i64} : (tensor<64xf32>) -> tensor<64xf32>
// CHECK: stablehlo.while
// CHECK: stablehlo.subtract
func.func @what_follows_the_loop_in_place(%x: tensor<64xf32>) -> tensor<64xf32> {
  %h = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %r = "stablehlo.while"(%h) ({
  ^bb0(%state: tensor<64xf32>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%state: tensor<64xf32>):
    %next = "stablehlo.negate"(%state) : (tensor<64xf32>) -> tensor<64xf32>
    "stablehlo.return"(%next) : (tensor<64xf32>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %y = "stablehlo.cosine"(%r) : (tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
func.func @what_follows_reads_the_state(%x: tensor<64xf32>) -> tensor<64xf32> {
  %h = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %r = "stablehlo.while"(%h) ({
  ^bb0(%state: tensor<64xf32>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%state: tensor<64xf32>):
    %next = "stablehlo.negate"(%state) : (tensor<64xf32>) -> tensor<64xf32>
    "stablehlo.return"(%next) : (tensor<64xf32>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %y = "stablehlo.subtract"(%r, %h) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}

// Loops inside of loops work in what the outer one carries. In the body a part
// of the state is made, and no second state.
// CHECK-LABEL: func.func @loops_inside_of_loops
// CHECK: pebble.step %arg0 {overwrites = array<i64: 0>, scratch = 64 : i64}
func.func @loops_inside_of_loops(%x: tensor<64xf32>) -> tensor<64xf32> {
  %r = "stablehlo.while"(%x) ({
  ^bb0(%state: tensor<64xf32>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%state: tensor<64xf32>):
    %at = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %part = "stablehlo.dynamic_slice"(%state, %at) <{slice_sizes = array<i64: 1>}> : (tensor<64xf32>, tensor<i64>) -> tensor<1xf32>
    %inner:2 = "stablehlo.while"(%state, %part) ({
    ^bb0(%s: tensor<64xf32>, %p: tensor<1xf32>):
      %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%s: tensor<64xf32>, %p: tensor<1xf32>):
      %i = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %s2 = "stablehlo.dynamic_update_slice"(%s, %p, %i) : (tensor<64xf32>, tensor<1xf32>, tensor<i64>) -> tensor<64xf32>
      "stablehlo.return"(%s2, %p) : (tensor<64xf32>, tensor<1xf32>) -> ()
    }) : (tensor<64xf32>, tensor<1xf32>) -> (tensor<64xf32>, tensor<1xf32>)
    "stablehlo.return"(%inner#0) : (tensor<64xf32>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
