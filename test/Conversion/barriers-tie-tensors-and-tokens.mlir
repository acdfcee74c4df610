// A barrier of StableHLO takes tensors and tokens. What has another type goes
// past it, and the step that reads it is tied by its tensors.
// RUN: pebble-opt %s --allow-unregistered-dialect --pebble-group-steps --pebble-schedule=budget-percent=100 --pebble-to-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @a_cache
// CHECK: %[[CACHE:.*]] = "other.open"
// CHECK: %[[SORTED:.*]] = "other.sort"(%arg0)
// CHECK: "stablehlo.optimization_barrier"(%[[SORTED]]) : (tensor<64xf32>)
// CHECK: "other.push"(%[[CACHE]],
func.func @a_cache(%x: tensor<64xf32>) -> tensor<64xf32> {
  %cache = "other.open"() : () -> !other.cache
  %0 = "other.sort"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %1 = "other.push"(%cache, %0) : (!other.cache, tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}
