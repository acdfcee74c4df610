// Complex numbers and indices move between tiers as other elements do.
// RUN: pebble-run %s --poison --json=- | FileCheck %s
// CHECK: "moved_bytes": {
// CHECK-NEXT: "fast->slow": 96,
// CHECK-NEXT: "slow->fast": 96
// CHECK: "predicted_moved_bytes": {
// CHECK-NEXT: "fast->slow": 96,
// CHECK-NEXT: "slow->fast": 96
module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"fast", kind = explicit, read = 1, write = 1>, <"slow", kind = explicit, read = 100, write = 100>]>} {
  func.func @main(%x: tensor<4xcomplex<f64>>, %y: tensor<4xindex>) -> (tensor<4xcomplex<f64>>, tensor<4xindex>) {
    %copy, %token = pebble.store %x : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>, #pebble.at<"slow">>
    %away = pebble.wait %token for %copy : tensor<4xcomplex<f64>, #pebble.at<"slow">>
    %copy1, %token1 = pebble.store %y : tensor<4xindex> -> tensor<4xindex, #pebble.at<"slow">>
    %away1 = pebble.wait %token1 for %copy1 : tensor<4xindex, #pebble.at<"slow">>
    %back, %token2 = pebble.load %away : tensor<4xcomplex<f64>, #pebble.at<"slow">> -> tensor<4xcomplex<f64>>
    %here = pebble.wait %token2 for %back : tensor<4xcomplex<f64>>
    %back1, %token3 = pebble.load %away1 : tensor<4xindex, #pebble.at<"slow">> -> tensor<4xindex>
    %here1 = pebble.wait %token3 for %back1 : tensor<4xindex>
    return %here, %here1 : tensor<4xcomplex<f64>>, tensor<4xindex>
  }
}
