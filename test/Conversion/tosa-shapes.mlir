// Shapes that operations of tosa are given go with the operations.
// RUN: pebble-run %s --output-dir=%t
// RUN: %python %S/../Runtime/Inputs/npy.py show %t/result0.npy %t/result1.npy %t/result2.npy %t/result3.npy %t/result4.npy | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 | pebble-run - --output-dir=%t.planned
// RUN: %python %S/../Runtime/Inputs/npy.py show %t.planned/result0.npy %t.planned/result1.npy %t.planned/result2.npy %t.planned/result3.npy %t.planned/result4.npy | FileCheck %s

// CHECK: f4 (3, 2) [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
// CHECK: f4 (3, 4) [9.0, 9.0, 9.0, 9.0, 0.0, 1.0, 2.0, 9.0, 3.0, 4.0, 5.0, 9.0]
// CHECK: f4 (2, 6) [0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 3.0, 4.0, 5.0]
// CHECK: f4 (2, 2) [1.0, 2.0, 4.0, 5.0]
// CHECK: f4 (1, 3, 3, 1) [0.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 6.0]

func.func @main() -> (tensor<3x2xf32>, tensor<3x4xf32>, tensor<2x6xf32>, tensor<2x2xf32>, tensor<1x3x3x1xf32>) {
  %x = "tosa.const"() <{values = dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
  %shape = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %reshaped = tosa.reshape %x, %shape : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
  %padding = tosa.const_shape {values = dense<[1, 0, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %nine = "tosa.const"() <{values = dense<9.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %padded = tosa.pad %x, %padding, %nine : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x4xf32>
  %times = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %tiled = tosa.tile %x, %times : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<2x6xf32>
  %start = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %sliced = tosa.slice %x, %start, %size : (tensor<2x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2xf32>
  %image = "tosa.const"() <{values = dense<[[[[0.0], [2.0]], [[4.0], [6.0]]]]> : tensor<1x2x2x1xf32>}> : () -> tensor<1x2x2x1xf32>
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %none = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %resized = tosa.resize %image, %scale, %none, %none {mode = BILINEAR} : (tensor<1x2x2x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3x3x1xf32>
  return %reshaped, %padded, %tiled, %sliced, %resized : tensor<3x2xf32>, tensor<3x4xf32>, tensor<2x6xf32>, tensor<2x2xf32>, tensor<1x3x3x1xf32>
}
