// Operations of tosa that become other operations of tosa first.
// RUN: pebble-run %s --output-dir=%t
// RUN: %python %S/../Runtime/Inputs/npy.py show %t/result0.npy %t/result1.npy | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 | pebble-run - --output-dir=%t.planned
// RUN: %python %S/../Runtime/Inputs/npy.py show %t.planned/result0.npy %t.planned/result1.npy | FileCheck %s

// CHECK: f4 (1, 3, 3, 1) [11.0, 12.0, 11.0, 12.0, 14.0, 12.0, 11.0, 12.0, 11.0]
// CHECK: i1 (4,) [1, -2, 4, 50]

func.func @main() -> (tensor<1x3x3x1xf32>, tensor<4xi8>) {
  %image = "tosa.const"() <{values = dense<1.0> : tensor<1x2x2x1xf32>}> : () -> tensor<1x2x2x1xf32>
  %weights = "tosa.const"() <{values = dense<1.0> : tensor<1x2x2x1xf32>}> : () -> tensor<1x2x2x1xf32>
  %bias = "tosa.const"() <{values = dense<10.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %transposed = tosa.transpose_conv2d %image, %weights, %bias, %zero, %zero {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x1xf32>
  %whole = "tosa.const"() <{values = dense<[2, -4, 7, 100]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %multiplier = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %shift = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %none = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %half = tosa.rescale %whole, %multiplier, %shift, %none, %none {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4xi8>
  return %transposed, %half : tensor<1x3x3x1xf32>, tensor<4xi8>
}
