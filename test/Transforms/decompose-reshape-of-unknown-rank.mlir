// RUN: pebble-opt %s --pebble-decompose -verify-diagnostics
func.func @main(%x: tensor<*xf32>, %shape: tensor<2xi32>) -> tensor<2x6xf32> {
  // expected-error@+1 {{cannot reshape a tensor whose rank is not known}}
  %r = tensor.reshape %x(%shape) : (tensor<*xf32>, tensor<2xi32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}
