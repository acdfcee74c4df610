// expected-error @below {{'f' saves nothing: it has 1 result(s), and first-saved-result is 1}}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
func.func @b(%e: tensor<8xf32>) -> tensor<8xf32> {
  return %e : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, f32, f32) {
  %c = arith.constant 1.0 : f32
  return %x, %x, %c, %c : tensor<8xf32>, tensor<8xf32>, f32, f32
}
// expected-error @below {{'f' saves 3 value(s), and 'b' has only 1 argument(s), of which 0 stand before the first saved one}}
func.func @b(%e: tensor<8xf32>) -> tensor<8xf32> {
  return %e : tensor<8xf32>
}

// -----

// expected-note @below {{result 2 of 'f'}}
func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, f32) {
  %c = arith.constant 1.0 : f32
  return %x, %x, %c : tensor<8xf32>, tensor<8xf32>, f32
}
// expected-error @below {{argument 1 of 'b' is 'tensor<8xf32>', and what is saved for it is 'f32'}}
func.func @b(%e: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  return %e : tensor<8xf32>
}
