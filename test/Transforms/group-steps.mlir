// RUN: pebble-opt %s --pebble-group-steps="backend=xla-cpu" | FileCheck %s

// A product and the function of it that alone reads it work in one buffer; the
// bias and its broadcast are computed on the way.
// CHECK-LABEL: func.func @a_layer_is_one_step
// CHECK: %[[Y:.*]] = pebble.step %arg0, %arg1, %arg2 : (tensor<8x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
// CHECK: dot_general
// CHECK: broadcast_in_dim
// CHECK: add
// CHECK: tanh
// CHECK: pebble.yield
// CHECK-NOT: pebble.step
// CHECK: return %[[Y]]
func.func @a_layer_is_one_step(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %1 = "stablehlo.broadcast_in_dim"(%b) <{broadcast_dimensions = array<i64: 1>}> : (tensor<4xf32>) -> tensor<8x4xf32>
  %2 = "stablehlo.add"(%0, %1) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = "stablehlo.tanh"(%2) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// What a product reads is in memory, and a transpose is no computation.
// CHECK-LABEL: func.func @a_product_reads_memory
// CHECK: %[[D:.*]] = pebble.step %arg0
// CHECK: add
// CHECK-NOT: transpose
// CHECK: pebble.step %arg1, %[[D]]
// CHECK: transpose
// CHECK: dot_general
func.func @a_product_reads_memory(%x: tensor<4x8xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.add"(%x, %x) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %2 = "stablehlo.dot_general"(%1, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// A dear value that two steps read is kept, a cheap one is in both.
// CHECK-LABEL: func.func @dear_values_are_shared
// CHECK: %[[E:.*]] = pebble.step %arg0
// CHECK: exponential
// CHECK: pebble.yield
// CHECK: pebble.step %[[E]], %arg0
// CHECK: add
// CHECK: multiply
// CHECK: reduce
// CHECK: pebble.step %[[E]], %arg0
// CHECK: add
// CHECK: negate
// CHECK: reduce
// CHECK-NOT: exponential
// CHECK: return
func.func @dear_values_are_shared(%x: tensor<64xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "stablehlo.exponential"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %1 = "stablehlo.add"(%x, %x) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %p = "stablehlo.multiply"(%1, %0) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %q = "stablehlo.negate"(%1) : (tensor<64xf32>) -> tensor<64xf32>
  %r = "stablehlo.subtract"(%q, %0) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %2 = "stablehlo.reduce"(%p, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %3 = "stablehlo.reduce"(%r, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  return %2, %3 : tensor<f32>, tensor<f32>
}

// What is made of a dear value by a few operations is not dear itself, where
// the dear value is kept: the derivative of gelu reads both.
// CHECK-LABEL: func.func @what_is_near_a_kept_value_is_not_kept
// CHECK: %[[T:.*]] = pebble.step %arg0 : (tensor<64xf32>)
// CHECK: tanh
// CHECK-NEXT: pebble.yield
// CHECK: pebble.step %arg0, %[[T]]
// CHECK: add
// CHECK: reduce
// CHECK: pebble.step %[[T]]
// CHECK: add
// CHECK: reduce
// CHECK-NOT: pebble.step
// CHECK: return
func.func @what_is_near_a_kept_value_is_not_kept(%x: tensor<64xf32>) -> (tensor<f32>, tensor<f32>) {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<64xf32>}> : () -> tensor<64xf32>
  %t = "stablehlo.tanh"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %c = "stablehlo.add"(%t, %one) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %p = "stablehlo.multiply"(%c, %x) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %r = "stablehlo.multiply"(%c, %t) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %2 = "stablehlo.reduce"(%p, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%d) : (tensor<f32>) -> ()
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %3 = "stablehlo.reduce"(%r, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %d = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%d) : (tensor<f32>) -> ()
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  return %2, %3 : tensor<f32>, tensor<f32>
}

// What the caller gave away, the step that makes the result that takes its
// place overwrites, and not the other one.
// CHECK-LABEL: func.func @updates_are_in_place
// CHECK: pebble.step %arg2, %arg0, %arg1 {overwrites = array<i64: 2>}
func.func @updates_are_in_place(%m: tensor<8xf32> {jax.buffer_donor = true}, %w: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %g: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.multiply"(%m, %w) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.subtract"(%0, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// What is read elsewhere than where it is written cannot be overwritten.
// CHECK-LABEL: func.func @a_reversed_read_is_not_in_place
// CHECK: pebble.step %arg0 : (tensor<8xf32>)
func.func @a_reversed_read_is_not_in_place(%w: tensor<8xf32> {tf.aliasing_output = 0 : i32}) -> tensor<8xf32> {
  %0 = "stablehlo.reverse"(%w) <{dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.add"(%0, %w) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @an_update_works_in_its_array
// CHECK: pebble.step %arg0, %arg1, %arg2 {overwrites = array<i64: 0>}
func.func @an_update_works_in_its_array(%a: tensor<8xf32>, %part: tensor<2xf32>, %at: tensor<i32>) -> tensor<8xf32> {
  %0 = "stablehlo.dynamic_update_slice"(%a, %part, %at) : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Calls are opened, in loops as well; what is left of them goes. A barrier of
// the program is the plan's to set.
// CHECK-LABEL: func.func @calls_are_opened
// CHECK-NOT: call @
// CHECK-NOT: optimization_barrier
// CHECK: pebble.step
// CHECK: stablehlo.while
// CHECK: negate
// CHECK-NOT: func.func private
func.func @calls_are_opened(%x: tensor<16xf32>) -> tensor<16xf32> {
  %fence = "stablehlo.optimization_barrier"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %0 = "stablehlo.while"(%fence) ({
  ^bb0(%a: tensor<16xf32>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<16xf32>):
    %b = func.call @outer(%a) : (tensor<16xf32>) -> tensor<16xf32>
    "stablehlo.return"(%b) : (tensor<16xf32>) -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func private @outer(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = call @inner(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func private @inner(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "stablehlo.negate"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// What loops capture, their steps take; what nobody needs is in no step.
// CHECK-LABEL: func.func @captures_are_inputs
// CHECK-NOT: cosine
// CHECK: %[[E:.*]] = pebble.step %arg1
// CHECK: exponential
// CHECK: pebble.step %arg0, %[[E]]
// CHECK: while
func.func @captures_are_inputs(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %dead = "stablehlo.cosine"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %e = "stablehlo.exponential"(%y) : (tensor<16xf32>) -> tensor<16xf32>
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<16xf32>):
    %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<16xf32>):
    %b = "stablehlo.add"(%a, %e) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    "stablehlo.return"(%b) : (tensor<16xf32>) -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// A sum of many products is made as they come: each is added within its step,
// and no step waits for all of them.
// CHECK-LABEL: func.func @sums_wait_for_two
// CHECK: %[[A:.*]] = pebble.step %arg0, %arg1 :
// CHECK: %[[AB:.*]] = pebble.step %arg0, %arg2, %[[A]] :
// CHECK: dot_general
// CHECK: add
// CHECK: %[[ABC:.*]] = pebble.step %arg0, %arg3, %[[AB]] :
// CHECK: dot_general
// CHECK: add
// CHECK: %[[ABCD:.*]] = pebble.step %arg0, %arg4, %[[ABC]] :
// CHECK: dot_general
// CHECK: add
// CHECK: return %[[ABCD]]
#rows = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>
func.func @sums_wait_for_two(%x: tensor<8x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = "stablehlo.dot_general"(%x, %a) <{dot_dimension_numbers = #rows}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = "stablehlo.dot_general"(%x, %b) <{dot_dimension_numbers = #rows}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = "stablehlo.add"(%0, %1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = "stablehlo.dot_general"(%x, %c) <{dot_dimension_numbers = #rows}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = "stablehlo.add"(%2, %3) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = "stablehlo.dot_general"(%x, %d) <{dot_dimension_numbers = #rows}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %6 = "stablehlo.add"(%4, %5) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %6 : tensor<8x8xf32>
}
