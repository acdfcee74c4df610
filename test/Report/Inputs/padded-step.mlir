func.func @main(%x: tensor<1000xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.pad %x low[12] high[12] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<1000xf32> to tensor<1024xf32>
  %up = math.exp %wide : tensor<1024xf32>
  %high = math.exp %up : tensor<1024xf32>
  %higher = math.exp %high : tensor<1024xf32>
  %empty = tensor.empty() : tensor<f32>
  %sum = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %dot = linalg.dot ins(%higher, %wide : tensor<1024xf32>, tensor<1024xf32>) outs(%sum : tensor<f32>) -> tensor<f32>
  return %dot : tensor<f32>
}
