// Ordering for energy leaves a callee with the peak that the cheapest order has,
// so that a limit which the callers do not keep is not proven to be out of
// reach.

// RUN: not pebble-opt %s --pebble-target=sutro --pebble-order-operations="objective=energy peak-limit-bytes=12288" -o /dev/null 2>&1 | FileCheck %s

// CHECK: error: no order keeps the peak within 12288 bytes; the least peak found is 16384 bytes{{$}}

func.func private @inner(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.exp ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  return %b : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>, %y: tensor<1024xf32>) -> tensor<1024xf32> {
  %r = call @inner(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %s = linalg.add ins(%r, %y : tensor<1024xf32>, tensor<1024xf32>) outs(%r : tensor<1024xf32>) -> tensor<1024xf32>
  return %s : tensor<1024xf32>
}
