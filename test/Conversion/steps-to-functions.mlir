// RUN: pebble-opt %s --pebble-group-steps --pebble-steps-to-functions | FileCheck %s
// RUN: pebble-opt %s --pebble-group-steps --pebble-steps-to-functions | grep -o "step_[0-9a-f]*" | sed 's/step_\(.*\)/{"\1": 4096}/' | head -1 > %t.json
// RUN: pebble-opt %s --pebble-group-steps="scratch=%t.json" | FileCheck %s --check-prefix=SCRATCH

// Equal steps are one function, whose name is what a file of scratch bytes
// knows them by.
// CHECK-NOT: @f
// CHECK: func.func @step_{{[0-9a-f]+}}(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK: dot_general
// CHECK: return
// CHECK-NOT: func.func
// SCRATCH-COUNT-2: pebble.step {{.*}} {scratch = 4096 : i64}
func.func @f(%x: tensor<8x8xf32>, %v: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = "stablehlo.dot_general"(%x, %v) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = "stablehlo.dot_general"(%0, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
