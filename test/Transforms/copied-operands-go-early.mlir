// RUN: pebble-opt %s --pebble-group-steps --pebble-steps-to-functions | %python -c "import re, sys; print({n: 16384 + 64 for n in re.findall(r'step_([0-9a-f]{16})\(', sys.stdin.read())})" | tr "'" '"' > %t.json
// RUN: pebble-opt %s --pebble-group-steps="backend=xla-cpu-early scratch=%t.json" | FileCheck %s
// RUN: pebble-opt %s --pebble-group-steps="backend=xla-cpu scratch=%t.json" | FileCheck %s --check-prefix=LATE
// RUN: pebble-opt %s --pebble-group-steps="backend=xla-cpu-early scratch=%t.json" --pebble-schedule="budget-percent=100" --pebble-to-stablehlo | FileCheck %s --check-prefix=OUT

// A kernel gradient copies both of its operands, of 8192 bytes each: so much
// was measured, and 64 bytes more. The operand that one step alone reads, the
// first, goes as soon as it is copied: the step overwrites it, and takes that
// much less. The other one is read by another step, too.

// CHECK-LABEL: func.func @kernel_gradient
// CHECK: %[[A:.*]] = pebble.step %arg0
// CHECK: exponential
// CHECK: %[[B:.*]] = pebble.step %arg1
// CHECK: exponential
// CHECK: %[[W:.*]]:2 = pebble.step %[[A]], %[[B]] {overwrites = array<i64: -1, 0>, scratch = 8256 : i64}
// CHECK-SAME: -> (tensor<3x3x8x8xf32>, tensor<4x8x8x8xf32>)
// CHECK: ^bb0(%[[IN:.*]]: tensor<4x8x8x8xf32>, %{{.*}}: tensor<4x8x8x8xf32>):
// CHECK: %[[G:.*]] = "stablehlo.convolution"
// CHECK: pebble.yield %[[G]], %[[IN]]
// CHECK: return %[[W]]#0

// LATE-LABEL: func.func @kernel_gradient
// LATE-NOT: overwrites

// OUT-COUNT-1: stablehlo.convolution
// OUT-NOT: pebble
func.func @kernel_gradient(%x: tensor<4x8x8x8xf32>, %y: tensor<4x8x8x8xf32>) -> (tensor<3x3x8x8xf32>, tensor<f32>) {
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %a = "stablehlo.exponential"(%x) : (tensor<4x8x8x8xf32>) -> tensor<4x8x8x8xf32>
  %b = "stablehlo.exponential"(%y) : (tensor<4x8x8x8xf32>) -> tensor<4x8x8x8xf32>
  %w = "stablehlo.convolution"(%a, %b) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<2x2xi64>, window_strides = array<i64: 1, 1>}> : (tensor<4x8x8x8xf32>, tensor<4x8x8x8xf32>) -> tensor<3x3x8x8xf32>
  %s = "stablehlo.reduce"(%b, %zero) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
  ^bb0(%c: tensor<f32>, %d: tensor<f32>):
    %e = "stablehlo.add"(%c, %d) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%e) : (tensor<f32>) -> ()
  }) : (tensor<4x8x8x8xf32>, tensor<f32>) -> tensor<f32>
  return %w, %s : tensor<3x3x8x8xf32>, tensor<f32>
}
