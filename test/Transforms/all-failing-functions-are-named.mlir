// All functions of a module that do not fit are named in one go, whether they
// call others or not.

// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=8192 means=none" -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: error: no order fits in the budget of 8192 bytes; the smallest feasible budget is 12288 bytes (proven)
// CHECK-DAG: 'linalg.add alone' with
// CHECK-DAG: 'linalg.mul first' with
// CHECK-DAG: 'linalg.sub second' with

func.func private @negate(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %a = linalg.negf ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  return %a : tensor<1024xf32>
}
func.func @alone(%x: tensor<1024xf32>, %y: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %a = linalg.add {pebble.name = "alone"} ins(%x, %y : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  return %a : tensor<1024xf32>
}
func.func @first(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %n = call @negate(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %a = linalg.mul {pebble.name = "first"} ins(%x, %n : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  return %a : tensor<1024xf32>
}
func.func @second(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %n = call @negate(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %a = linalg.sub {pebble.name = "second"} ins(%x, %n : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  return %a : tensor<1024xf32>
}
