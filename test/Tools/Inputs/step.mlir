func.func @main(%x: tensor<1024xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<1024xf32>
  %scalar = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %exp = linalg.exp ins(%x : tensor<1024xf32>) outs(%wide : tensor<1024xf32>) -> tensor<1024xf32>
  %square = linalg.square ins(%x : tensor<1024xf32>) outs(%wide : tensor<1024xf32>) -> tensor<1024xf32>
  %a = linalg.dot ins(%exp, %x : tensor<1024xf32>, tensor<1024xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %b = linalg.dot ins(%square, %x : tensor<1024xf32>, tensor<1024xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %sum = linalg.add ins(%a, %b : tensor<f32>, tensor<f32>) outs(%scalar : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
