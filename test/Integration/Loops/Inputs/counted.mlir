// The driver runs as many steps forward as the closed form says: each of them
// makes a buffer of 32,000 bytes, and the timeline shows how many there were.
func.func @main(%x: tensor<8xf32>, %a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %n = arith.constant N : index
  %y, %dx = pebble.adjoint_loop %n states(%x : tensor<8xf32>) adjoints(%a : tensor<8xf32>) primal {
  ^bb0(%i: index, %s: tensor<8xf32>):
    %e = tensor.empty() : tensor<1000x8xf32>
    %wide = linalg.broadcast ins(%s : tensor<8xf32>) outs(%e : tensor<1000x8xf32>) dimensions = [0]
    %next = linalg.reduce {arith.maximumf} ins(%wide : tensor<1000x8xf32>) outs(%s : tensor<8xf32>) dimensions = [0]
    pebble.yield %next : tensor<8xf32>
  } adjoint {
  ^bb0(%i: index, %s: tensor<8xf32>, %b: tensor<8xf32>):
    %c = arith.mulf %s, %b : tensor<8xf32>
    pebble.yield %c : tensor<8xf32>
  }
  return %y, %dx : tensor<8xf32>, tensor<8xf32>
}
