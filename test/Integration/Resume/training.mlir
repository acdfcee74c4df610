// A driver that calls a training step 400 times: gradient descent on the weights of two layers, with momentum and a
// loss that is carried as a number.
// RUN: %python %S/kill.py %s --every=20 --kills=5 --seed=1 | FileCheck %s
// CHECK: killed {{[1-9][0-9]*}} times while it ran, {{.*}} all with the same results

func.func private @step(%w: tensor<64x64xf32>, %v: tensor<64x64xf32>, %x: tensor<64x64xf32>, %wanted: tensor<64x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, f32) {
  %rate = arith.constant 0.001 : f32
  %decay = arith.constant 0.9 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.tanh ins(%h : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %miss = linalg.sub ins(%y, %wanted : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %xt = linalg.transpose ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
  %g = linalg.matmul ins(%xt, %miss : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %v1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                        iterator_types = ["parallel", "parallel"]}
      ins(%g : tensor<64x64xf32>) outs(%v : tensor<64x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %kept = arith.mulf %b, %decay : f32
      %sum = arith.addf %kept, %a : f32
      linalg.yield %sum : f32
  } -> tensor<64x64xf32>
  %w1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                        iterator_types = ["parallel", "parallel"]}
      ins(%v1 : tensor<64x64xf32>) outs(%w : tensor<64x64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %less = arith.mulf %a, %rate : f32
      %next = arith.subf %b, %less : f32
      linalg.yield %next : f32
  } -> tensor<64x64xf32>
  %c0 = arith.constant 0 : index
  %loss = tensor.extract %miss[%c0, %c0] : tensor<64x64xf32>
  return %w1, %v1, %loss : tensor<64x64xf32>, tensor<64x64xf32>, f32
}

func.func @main(%w0: tensor<64x64xf32> {pebble.range = [-0.1, 0.1]}, %x: tensor<64x64xf32>,
                %wanted: tensor<64x64xf32> {pebble.range = [-0.5, 0.5]}) -> (tensor<64x64xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 400 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %v0 = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%w = %w0, %v = %v0, %sum = %zero)
      -> (tensor<64x64xf32>, tensor<64x64xf32>, f32) {
    %s:3 = func.call @step(%w, %v, %x, %wanted)
        : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>)
        -> (tensor<64x64xf32>, tensor<64x64xf32>, f32)
    %more = arith.addf %sum, %s#2 : f32
    scf.yield %s#0, %s#1, %more : tensor<64x64xf32>, tensor<64x64xf32>, f32
  }
  return %r#0, %r#2 : tensor<64x64xf32>, f32
}
