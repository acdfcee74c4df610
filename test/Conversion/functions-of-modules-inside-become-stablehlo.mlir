// What is planned is written as StableHLO, also in a module inside of another.
// RUN: pebble-opt %s --pebble-group-steps --pebble-schedule=budget-percent=100 --pebble-to-stablehlo | FileCheck %s
// RUN: pebble-opt %s --pebble-group-steps | FileCheck %s --check-prefix=STEPS

// STEPS-LABEL: func.func @outer
// STEPS: pebble.step
// STEPS-LABEL: func.func @inner
// STEPS: pebble.step

// CHECK-NOT: pebble.
// CHECK-LABEL: func.func @outer
// CHECK-NOT: pebble.
// CHECK: module @inside
// CHECK-NOT: pebble.
// CHECK: func.func @inner
// CHECK: stablehlo.sort
// CHECK: stablehlo.optimization_barrier
// CHECK-NOT: pebble.
func.func @outer(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

module @inside {
  func.func @inner(%x: tensor<64xf32>) -> tensor<64xf32> {
    %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%2) : (tensor<i1>) -> ()
    }) : (tensor<64xf32>) -> tensor<64xf32>
    return %1 : tensor<64xf32>
  }
}
