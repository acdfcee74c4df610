// RUN: split-file %s %t
// RUN: pebble-opt %t/same.mlir --pebble-check-runs=original=%t/original.mlir -o /dev/null
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/original.mlir -o /dev/null 2>&1 | FileCheck %s
// RUN: not pebble-opt %t/overwritten.mlir --pebble-check-runs=original=%t/original.mlir -o /dev/null 2>&1 | FileCheck %s

// A number that is read from a constant array is known, as long as no other was
// written there.
// CHECK: error: is not proven to return what the function that it was made of does: result #0

//--- original.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<1xf32> {
  %i = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
  %0 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<i64>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
//--- same.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<1xf32> {
  %t = "stablehlo.constant"() <{value = dense<[[3, 1], [2, 0]]> : tensor<2x2xi64>}> : () -> tensor<2x2xi64>
  %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
  %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
  %c = "stablehlo.constant"() <{value = dense<9> : tensor<1x1xi64>}> : () -> tensor<1x1xi64>
  %u = "stablehlo.dynamic_update_slice"(%t, %c, %1, %1) : (tensor<2x2xi64>, tensor<1x1xi64>, tensor<i64>, tensor<i64>) -> tensor<2x2xi64>
  %2 = "stablehlo.dynamic_slice"(%u, %1, %0) <{slice_sizes = array<i64: 1, 1>}> : (tensor<2x2xi64>, tensor<i64>, tensor<i64>) -> tensor<1x1xi64>
  %i = "stablehlo.reshape"(%2) : (tensor<1x1xi64>) -> tensor<i64>
  %3 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<i64>) -> tensor<1xf32>
  return %3 : tensor<1xf32>
}
//--- other.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<1xf32> {
  %t = "stablehlo.constant"() <{value = dense<[3, 1, 2, 0]> : tensor<4xi64>}> : () -> tensor<4xi64>
  %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
  %2 = "stablehlo.dynamic_slice"(%t, %1) <{slice_sizes = array<i64: 1>}> : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
  %i = "stablehlo.reshape"(%2) : (tensor<1xi64>) -> tensor<i64>
  %3 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<i64>) -> tensor<1xf32>
  return %3 : tensor<1xf32>
}
//--- overwritten.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<1xf32> {
  %t = "stablehlo.constant"() <{value = dense<[3, 1, 2, 0]> : tensor<4xi64>}> : () -> tensor<4xi64>
  %1 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
  %k = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
  %c = "stablehlo.constant"() <{value = dense<0> : tensor<2xi64>}> : () -> tensor<2xi64>
  %u = "stablehlo.dynamic_update_slice"(%t, %c, %1) : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
  %2 = "stablehlo.dynamic_slice"(%u, %k) <{slice_sizes = array<i64: 1>}> : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
  %i = "stablehlo.reshape"(%2) : (tensor<1xi64>) -> tensor<i64>
  %3 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<i64>) -> tensor<1xf32>
  return %3 : tensor<1xf32>
}
