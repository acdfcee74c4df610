// RUN: pebble-opt %s --pebble-schedule=budget=min | FileCheck %s

// What looks for bits that are packed meets operations on tensors without
// dimensions, of two inputs and of one.
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  %a = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%x, %y : tensor<f32>, tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %b = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%a : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.sin %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %b : tensor<f32>
}
