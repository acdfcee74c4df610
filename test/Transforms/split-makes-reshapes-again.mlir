// A reshape of another dialect is another name of its source, so that the
// backward half makes it again and owns what it is given. A copy of a result
// may stand behind the boundary: to allocate is no effect.
// RUN: pebble-opt %s --pebble-split-backward | FileCheck %s
// CHECK-LABEL: func.func private @f(
// CHECK: %[[S:.*]] = math.sin
// CHECK: bufferization.alloc_tensor() copy(%[[S]])
// CHECK: return %{{.*}}, %[[S]] : tensor<2x4xf32>, tensor<8xf32>
// CHECK-LABEL: func.func private @b(
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<8xf32> {pebble.donated, pebble.name = "saved0"}
// CHECK: "stablehlo.reshape"(%[[S]])
// CHECK: pebble.drop %[[S]]
func.func @step(%x: tensor<8xf32>, %d: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 1, results = 1}} {
  %s = math.sin %x : tensor<8xf32>
  %r = "stablehlo.reshape"(%s) : (tensor<8xf32>) -> tensor<2x4xf32>
  %a = arith.mulf %d, %d : tensor<2x4xf32>
  %copy = bufferization.alloc_tensor() copy(%s) : tensor<8xf32>
  %y = "stablehlo.reshape"(%copy) : (tensor<8xf32>) -> tensor<2x4xf32>
  %b = arith.mulf %a, %r : tensor<2x4xf32>
  pebble.drop %s : tensor<8xf32>
  pebble.drop %a : tensor<2x4xf32>
  return %y, %b : tensor<2x4xf32>, tensor<2x4xf32>
}
