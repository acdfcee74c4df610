// RUN: pebble-opt %s --quiet --pebble-group-steps --pebble-schedule="budget=100%%" 2>/dev/null | FileCheck %s
// RUN: pebble-opt %s --quiet --pebble-group-steps --pebble-schedule="budget=100%%" --pebble-to-stablehlo 2>/dev/null | FileCheck %s --check-prefix=OUT

// What an unknown operation hands out inside of a loop may be anything, but what
// the step yields is a value in a buffer of its own. That it is dropped says
// nothing of the other results of the loop.

// CHECK: %[[LOOP:.*]]:2 = pebble.step
// CHECK: other.pop
// CHECK: %[[SORTED:.*]] = pebble.step %[[LOOP]]#1
// CHECK: pebble.drop %[[LOOP]]#1
// CHECK: pebble.step {{.*}}%[[LOOP]]#0
// OUT: other.pop
// OUT-NOT: pebble
func.func @f(%x: tensor<64xf32>, %n: tensor<i32>) -> tensor<64xf32> {
  %h = "other.init"() : () -> !other.cache<tensor<64xf32>>
  %a = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = "stablehlo.compare"(%l, %r) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %b = "stablehlo.sine"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %0:3 = "stablehlo.while"(%zero, %a, %b) ({
  ^bb0(%i: tensor<i32>, %v: tensor<64xf32>, %u: tensor<64xf32>):
    %c = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<64xf32>, %u: tensor<64xf32>):
    %p = "other.pop"(%h) : (!other.cache<tensor<64xf32>>) -> tensor<64xf32>
    %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = "stablehlo.add"(%v, %p) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    "stablehlo.return"(%j, %w, %p) : (tensor<i32>, tensor<64xf32>, tensor<64xf32>) -> ()
  }) : (tensor<i32>, tensor<64xf32>, tensor<64xf32>) -> (tensor<i32>, tensor<64xf32>, tensor<64xf32>)
  %s = "stablehlo.sort"(%0#2) <{dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = "stablehlo.compare"(%l, %r) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %t = "stablehlo.sort"(%s) <{dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = "stablehlo.compare"(%l, %r) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %y = "stablehlo.add"(%t, %0#1) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
