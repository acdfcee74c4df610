// PATH=$PWD/build/bin:$PATH test/Integration/Loops/reverse.py test/Integration/Loops/training.mlir --options=slots=5
// RUN: %python %S/reverse.py %s --options=slots=1 --options=slots=5 | FileCheck %s
// CHECK: all states
// CHECK: slots=1: {{.*}} forward steps 1771
// CHECK: slots=5: {{.*}} forward steps 157
// Time steps inside epochs: 30 epochs of gradient descent on the weights of a
// recurrent network of 16 units over sequences of 60 steps. Results are the
// weights and the losses of all epochs.
func.func @main(%w0: tensor<16x16xf32> {pebble.range = [-0.3, 0.3]},
                %xs: tensor<60x8x16xf32> {pebble.range = [-1.0, 1.0]}, %h0: tensor<8x16xf32>,
                %wanted: tensor<8x16xf32> {pebble.range = [-0.8, 0.8]}) -> (tensor<16x16xf32>, tensor<30xf32>) {
  %epochs = arith.constant 30 : index
  %steps = arith.constant 60 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rate = arith.constant 0.02 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %ew = tensor.empty() : tensor<16x16xf32>
  %el = tensor.empty() : tensor<30xf32>
  %losses0 = linalg.fill ins(%zero : f32) outs(%el : tensor<30xf32>) -> tensor<30xf32>
  %trained:2 = scf.for %epoch = %c0 to %epochs step %c1 iter_args(%w = %w0, %losses = %losses0) -> (tensor<16x16xf32>, tensor<30xf32>) {
    %a0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
    %g0 = linalg.fill ins(%zero : f32) outs(%ew : tensor<16x16xf32>) -> tensor<16x16xf32>
    %h, %dh, %dw = pebble.adjoint_loop %steps states(%h0 : tensor<8x16xf32>)
        adjoints(%a0 : tensor<8x16xf32>) gradients(%g0 : tensor<16x16xf32>) primal {
    ^bb0(%t: index, %s: tensor<8x16xf32>):
      %x = tensor.extract_slice %xs[%t, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<60x8x16xf32> to tensor<8x16xf32>
      %z = linalg.matmul ins(%s, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%x : tensor<8x16xf32>) -> tensor<8x16xf32>
      %next = linalg.tanh ins(%z : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
      pebble.yield %next : tensor<8x16xf32>
    } turn {
    ^bb0(%s: tensor<8x16xf32>, %a: tensor<8x16xf32>, %g: tensor<16x16xf32>):
      %miss = linalg.sub ins(%s, %wanted : tensor<8x16xf32>, tensor<8x16xf32>) outs(%a : tensor<8x16xf32>) -> tensor<8x16xf32>
      pebble.yield %miss, %g : tensor<8x16xf32>, tensor<16x16xf32>
    } adjoint {
    ^bb0(%t: index, %s: tensor<8x16xf32>, %a: tensor<8x16xf32>, %g: tensor<16x16xf32>):
      %x = tensor.extract_slice %xs[%t, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<60x8x16xf32> to tensor<8x16xf32>
      %z = linalg.matmul ins(%s, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%x : tensor<8x16xf32>) -> tensor<8x16xf32>
      %dz = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
          ins(%z, %a : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
      ^bb0(%vz: f32, %va: f32, %o: f32):
        %th = math.tanh %vz : f32
        %sq = arith.mulf %th, %th : f32
        %d = arith.subf %one, %sq : f32
        %r = arith.mulf %va, %d : f32
        linalg.yield %r : f32
      } -> tensor<8x16xf32>
      %more = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
          ins(%s, %dz : tensor<8x16xf32>, tensor<8x16xf32>) outs(%g : tensor<16x16xf32>) -> tensor<16x16xf32>
      %ds0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
      %ds = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
          ins(%dz, %w : tensor<8x16xf32>, tensor<16x16xf32>) outs(%ds0 : tensor<8x16xf32>) -> tensor<8x16xf32>
      pebble.yield %ds, %more : tensor<8x16xf32>, tensor<16x16xf32>
    }
    %better = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%dw : tensor<16x16xf32>) outs(%w : tensor<16x16xf32>) {
    ^bb0(%vg: f32, %vw: f32):
      %d = arith.mulf %rate, %vg : f32
      %n = arith.subf %vw, %d : f32
      linalg.yield %n : f32
    } -> tensor<16x16xf32>
    %e0 = tensor.empty() : tensor<f32>
    %l0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
    %loss = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
        ins(%h, %wanted : tensor<8x16xf32>, tensor<8x16xf32>) outs(%l0 : tensor<f32>) {
    ^bb0(%v: f32, %o: f32, %sum: f32):
      %miss = arith.subf %v, %o : f32
      %square = arith.mulf %miss, %miss : f32
      %part = arith.mulf %square, %half : f32
      %m = arith.addf %sum, %part : f32
      linalg.yield %m : f32
    } -> tensor<f32>
    %number = tensor.extract %loss[] : tensor<f32>
    %noted = tensor.insert %number into %losses[%epoch] : tensor<30xf32>
    scf.yield %better, %noted : tensor<16x16xf32>, tensor<30xf32>
  }
  return %trained#0, %trained#1 : tensor<16x16xf32>, tensor<30xf32>
}
