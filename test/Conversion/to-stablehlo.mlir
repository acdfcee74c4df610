// RUN: pebble-opt %s --pebble-to-stablehlo | FileCheck %s
// RUN: pebble-opt %s --pebble-to-stablehlo | FileCheck %s --check-prefix=CLEAN

// CLEAN-NOT: pebble

// Each step but the first is tied to the newest result before it, and what runs
// again takes what came through the barriers.
// CHECK-LABEL: func.func @steps_are_a_chain
// CHECK-SAME: %arg0: tensor<8xf32> {jax.buffer_donor = true}, %arg1: tensor<8xf32>
// CHECK-NEXT: %[[A:.*]] = "stablehlo.exponential"(%arg0)
// CHECK-NEXT: %[[F:.*]]:2 = "stablehlo.optimization_barrier"(%arg1, %[[A]])
// CHECK-NEXT: %[[B:.*]] = "stablehlo.negate"(%[[F]]#0)
// CHECK-NEXT: %[[G:.*]]:2 = "stablehlo.optimization_barrier"(%arg0, %[[B]])
// CHECK-NEXT: %[[C:.*]] = "stablehlo.exponential"(%[[G]]#0)
// CHECK-NEXT: %[[H:.*]]:2 = "stablehlo.optimization_barrier"(%[[C]], %[[G]]#1)
// CHECK-NEXT: %[[D:.*]] = "stablehlo.add"(%[[H]]#0, %[[H]]#1)
// CHECK-NEXT: return %[[F]]#1, %[[D]]
func.func @steps_are_a_chain(%x: tensor<8xf32> {pebble.donated}, %y: tensor<8xf32> {bufferization.writable = false})
    -> (tensor<8xf32>, tensor<8xf32>) attributes {pebble.result = {status = "optimal"}} {
  %a = pebble.step %x {pebble.cost = 8 : i64} : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%in: tensor<8xf32>):
    %0 = "stablehlo.exponential"(%in) : (tensor<8xf32>) -> tensor<8xf32>
    pebble.yield %0 : tensor<8xf32>
  }
  %b = pebble.step %y : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%in: tensor<8xf32>):
    %0 = "stablehlo.negate"(%in) : (tensor<8xf32>) -> tensor<8xf32>
    pebble.yield %0 : tensor<8xf32>
  }
  %again = pebble.opaque %x : tensor<8xf32>
  %c = pebble.step %again : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%in: tensor<8xf32>):
    %0 = "stablehlo.exponential"(%in) : (tensor<8xf32>) -> tensor<8xf32>
    pebble.yield %0 : tensor<8xf32>
  }
  pebble.drop %x : tensor<8xf32>
  %d = pebble.step %c, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%in: tensor<8xf32>, %other: tensor<8xf32>):
    %0 = "stablehlo.add"(%in, %other) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    pebble.yield %0 : tensor<8xf32>
  }
  pebble.drop %c : tensor<8xf32>
  return %a, %d : tensor<8xf32>, tensor<8xf32>
}

// A step that takes nothing is tied by what it begins with; otherwise what runs
// twice would be one.
// CHECK-LABEL: func.func @what_takes_nothing_is_tied
// CHECK: %[[I:.*]] = "stablehlo.iota"
// CHECK: %[[T:.*]] = "stablehlo.add"(
// CHECK: %[[J:.*]] = "stablehlo.iota"
// CHECK: %[[F:.*]]:2 = "stablehlo.optimization_barrier"(%[[T]], %[[J]])
// CHECK: %[[E:.*]] = "stablehlo.negate"(%[[F]]#1)
func.func @what_takes_nothing_is_tied(%x: tensor<8xf32>) -> tensor<8xf32> {
  %m = pebble.step : () -> tensor<8xf32> {
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xf32>
    %1 = "stablehlo.negate"(%0) : (tensor<8xf32>) -> tensor<8xf32>
    pebble.yield %1 : tensor<8xf32>
  }
  %s = pebble.step %x, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    pebble.yield %0 : tensor<8xf32>
  }
  %n = pebble.step : () -> tensor<8xf32> {
    %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xf32>
    %1 = "stablehlo.negate"(%0) : (tensor<8xf32>) -> tensor<8xf32>
    pebble.yield %1 : tensor<8xf32>
  }
  %r = pebble.step %s, %n : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    pebble.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// What was planned without steps is one step for each operation.
// CHECK-LABEL: func.func @operations_are_steps
// CHECK: %[[A:.*]] = "stablehlo.exponential"(%arg0)
// CHECK-NEXT: %[[F:.*]]:2 = "stablehlo.optimization_barrier"(%arg1, %[[A]])
// CHECK-NEXT: "stablehlo.negate"(%[[F]]#0)
func.func @operations_are_steps(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "stablehlo.exponential"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.negate"(%y) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
