// A gradient of a weight is a gradient, handed out or used up here; the new
// weight is a result.
// RUN: rm -rf %t && pebble-report %s -o %t > /dev/null
// RUN: FileCheck %s < %t/step.svg
// CHECK-DAG: <title>h: saved activation,
// CHECK-DAG: <title>dh_bwd: gradient,
// CHECK-DAG: <title>dw_bwd: gradient,
// CHECK-DAG: <title>dv_bwd: gradient,
// CHECK-DAG: <title>new: result,

func.func @step(%x: tensor<32x64xf32>, %w: tensor<64x16xf32>, %v: tensor<64x8xf32>, %dy: tensor<32x16xf32>)
    -> (tensor<64x16xf32>, tensor<64x8xf32>, tensor<64x16xf32>) {
  %z = arith.constant dense<0.0> : tensor<32x16xf32>
  %zw = arith.constant dense<0.0> : tensor<64x16xf32>
  %zv = arith.constant dense<0.0> : tensor<64x8xf32>
  %zs = arith.constant dense<0.0> : tensor<32x8xf32>
  %s = linalg.matmul {pebble.name = "s"} ins(%x, %v : tensor<32x64xf32>, tensor<64x8xf32>) outs(%zs : tensor<32x8xf32>) -> tensor<32x8xf32>
  %h = linalg.matmul {pebble.name = "h"} ins(%x, %w : tensor<32x64xf32>, tensor<64x16xf32>) outs(%z : tensor<32x16xf32>) -> tensor<32x16xf32>
  %dh = linalg.mul {pebble.name = "dh_bwd"} ins(%h, %dy : tensor<32x16xf32>, tensor<32x16xf32>) outs(%z : tensor<32x16xf32>) -> tensor<32x16xf32>
  %dw = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %dh : tensor<32x64xf32>, tensor<32x16xf32>) outs(%zw : tensor<64x16xf32>) -> tensor<64x16xf32> loc("dw_bwd")
  %dv = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %s : tensor<32x64xf32>, tensor<32x8xf32>) outs(%zv : tensor<64x8xf32>) -> tensor<64x8xf32> loc("dv_bwd")
  %new = linalg.sub {pebble.name = "new"} ins(%w, %dw : tensor<64x16xf32>, tensor<64x16xf32>) outs(%zw : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %new, %dv, %dw : tensor<64x16xf32>, tensor<64x8xf32>, tensor<64x16xf32>
}
