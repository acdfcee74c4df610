// RUN: pebble-opt %s --pebble-group-steps --pebble-schedule="budget-percent=100" | FileCheck %s --check-prefix=ALL
// RUN: pebble-opt %s --pebble-group-steps --pebble-schedule="budget-bytes=3200" | FileCheck %s --check-prefix=LESS
// RUN: pebble-opt %s --pebble-group-steps --pebble-schedule="budget-bytes=3200 greedy-packing=true" --pebble-to-stablehlo | FileCheck %s --check-prefix=OUT
// RUN: pebble-opt %s --pebble-group-steps --pebble-schedule="budget-bytes=3200" --pebble-to-stablehlo | FileCheck %s --check-prefix=OUT
// RUN: not pebble-opt %s --pebble-group-steps --pebble-to-llvm 2>&1 | FileCheck %s --check-prefix=DOWN

// A step costs what its operations compute, takes what it yields, and runs again
// where that is cheaper than keeping it. The exponential is read at the start
// and at the end: without it in between there are three values of 1 kB and a
// number at the peak, and it runs twice.

// ALL: pebble.result = {{.*}}input_peak_bytes = 4096 : i64{{.*}}status = "optimal"
// ALL-COUNT-1: stablehlo.exponential
// ALL-NOT: stablehlo.exponential

// LESS: pebble.result = {{.*}}peak_bytes = {{3[0-9]*}} : i64
// LESS-COUNT-2: stablehlo.exponential
// LESS-NOT: stablehlo.exponential

// OUT-COUNT-2: stablehlo.exponential
// OUT-NOT: pebble

// DOWN: error:

func.func @f(%x: tensor<256xf32>) -> tensor<f32> {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %e = "stablehlo.exponential"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %s = "stablehlo.sort"(%e) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<256xf32>) -> tensor<256xf32>
  %t = "stablehlo.sort"(%s) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<256xf32>) -> tensor<256xf32>
  %n = "stablehlo.reduce"(%t, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<256xf32>, tensor<f32>) -> tensor<f32>
  %wide = "stablehlo.broadcast_in_dim"(%n) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
  %v = "stablehlo.multiply"(%e, %wide) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %m = "stablehlo.reduce"(%v, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<256xf32>, tensor<f32>) -> tensor<f32>
  return %m : tensor<f32>
}
