// RUN: pebble-opt %s --pebble-to-stablehlo | FileCheck %s

// XLA would make one array of a number that several steps spread, and keep it
// from the first that reduces what it makes of it to the last. So from the second
// step on each has a number of its own, which comes through its barrier.
// CHECK-LABEL: func.func @sums
// CHECK-NOT: barrier
// CHECK: "stablehlo.reduce"
// CHECK: %[[N:.*]] = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}>
// CHECK: %[[B:.*]]:3 = "stablehlo.optimization_barrier"(%arg1, %[[N]], %{{.*}})
// CHECK: "stablehlo.broadcast_in_dim"(%[[B]]#1)
// CHECK: "stablehlo.reduce"

// What goes over elements, and a number of one step alone, stay as they are.
// CHECK: "stablehlo.optimization_barrier"(%arg0, %{{[0-9]+}}) :
// CHECK: %[[C:.*]] = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}>
// CHECK-NEXT: "stablehlo.broadcast_in_dim"(%[[C]])
// CHECK: "stablehlo.optimization_barrier"(%{{[^,]*}}, %{{[^,]*}}) :
// CHECK: %[[D:.*]] = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<f32>}>
// CHECK-NEXT: "stablehlo.broadcast_in_dim"(%[[D]])
func.func @sums(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8xf32>) {
  %a = pebble.step %x : (tensor<8x4xf32>) -> tensor<8xf32> {
  ^bb0(%in: tensor<8x4xf32>):
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %half = "stablehlo.constant"() <{value = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.broadcast_in_dim"(%half) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %1 = "stablehlo.maximum"(%in, %0) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = "stablehlo.reduce"(%1, %zero) <{dimensions = array<i64: 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %3 = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    pebble.yield %2 : tensor<8xf32>
  }
  %b = pebble.step %y : (tensor<8x4xf32>) -> tensor<8xf32> {
  ^bb0(%in: tensor<8x4xf32>):
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %half = "stablehlo.constant"() <{value = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.broadcast_in_dim"(%half) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %1 = "stablehlo.maximum"(%in, %0) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = "stablehlo.reduce"(%1, %zero) <{dimensions = array<i64: 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %3 = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    pebble.yield %2 : tensor<8xf32>
  }
  %c = pebble.step %x : (tensor<8x4xf32>) -> tensor<8x4xf32> {
  ^bb0(%in: tensor<8x4xf32>):
    %half = "stablehlo.constant"() <{value = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.broadcast_in_dim"(%half) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %1 = "stablehlo.add"(%in, %0) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    pebble.yield %1 : tensor<8x4xf32>
  }
  %d = pebble.step %y : (tensor<8x4xf32>) -> tensor<8xf32> {
  ^bb0(%in: tensor<8x4xf32>):
    %seven = "stablehlo.constant"() <{value = dense<7.0> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.broadcast_in_dim"(%seven) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x4xf32>
    %1 = "stablehlo.maximum"(%in, %0) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.reduce"(%1, %zero) <{dimensions = array<i64: 1>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %3 = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    pebble.yield %2 : tensor<8xf32>
  }
  return %a, %b, %c, %d : tensor<8xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8xf32>
}
