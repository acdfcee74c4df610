func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32> {pebble.name = "e"}) {
  %e = math.exp %x : tensor<8xf32>
  %y = math.sin %e : tensor<8xf32>
  return %y, %e : tensor<8xf32>, tensor<8xf32>
}
func.func @b(%e: tensor<8xf32> {pebble.name = "e"}, %dy: tensor<8xf32>) -> tensor<8xf32> {
  %dx = arith.mulf %dy, %e : tensor<8xf32>
  return %dx : tensor<8xf32>
}
