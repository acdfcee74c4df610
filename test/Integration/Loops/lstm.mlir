// PATH=$PWD/build/bin:$PATH test/Integration/Loops/reverse.py test/Integration/Loops/lstm.mlir --options=slots=10
// RUN: %python %S/reverse.py %s --options=slots=10 | FileCheck %s
// RUN: %python %S/gradients.py %s --options=slots=4 "--replace=1000=>20" --of=1:1,2:2,3:3,4:0 | FileCheck %s --check-prefix=GRADIENT
// 3637 = t(1000, 10) + 1. The states of a step take 8 KiB.
// CHECK: all states: peak {'default': 13131840}
// CHECK: slots=10: peak {'default': 5021888}, forward steps 3637
// RUN: %python %S/reverse.py %s --target=h100-approx --options="slots=4 schedule=two-tier store-cost=2 load-cost=2" | FileCheck %s --check-prefix=TIERS
// TIERS: slots=4 schedule=two-tier {{.*}}moved {'hbm->host': {{[0-9]+}}, 'host->hbm': {{[0-9]+}}}, forward steps {{[0-9]+}}
// GRADIENT-COUNT-4: differences agree
// The gradient of an LSTM over 1,000 steps: 128 hidden units, batches of 8, 64
// inputs a step. The loss is half the square of the hidden states, of all steps:
// gradients of a loss of the last one alone fade to numbers so small that
// arithmetic on them is many times slower. Results are the loss and its gradients
// by the input weights, the recurrent weights, the bias and the inputs.
func.func @main(%xs: tensor<1000x8x64xf32>,
                %wx: tensor<64x512xf32> {pebble.range = [-0.2, 0.2]},
                %wh: tensor<128x512xf32> {pebble.range = [-0.2, 0.2]},
                %bias: tensor<512xf32> {pebble.range = [-0.5, 0.5]},
                %h0: tensor<8x128xf32>, %c0: tensor<8x128xf32>)
    -> (tensor<f32>, tensor<64x512xf32>, tensor<128x512xf32>, tensor<512xf32>, tensor<1000x8x64xf32>) {
  %n = arith.constant 1000 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %e0 = tensor.empty() : tensor<8x128xf32>
  %e1 = tensor.empty() : tensor<64x512xf32>
  %e2 = tensor.empty() : tensor<128x512xf32>
  %e3 = tensor.empty() : tensor<512xf32>
  %e4 = tensor.empty() : tensor<1000x8x64xf32>
  %ah0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x128xf32>) -> tensor<8x128xf32>
  %ac0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x128xf32>) -> tensor<8x128xf32>
  %gwx0 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %gwh0 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<128x512xf32>) -> tensor<128x512xf32>
  %gb0 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<512xf32>) -> tensor<512xf32>
  %gx0 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<1000x8x64xf32>) -> tensor<1000x8x64xf32>
  %el = tensor.empty() : tensor<f32>
  %l0 = linalg.fill ins(%zero : f32) outs(%el : tensor<f32>) -> tensor<f32>
  %r:9 = pebble.adjoint_loop %n states(%h0, %c0 : tensor<8x128xf32>, tensor<8x128xf32>)
      adjoints(%ah0, %ac0 : tensor<8x128xf32>, tensor<8x128xf32>)
      gradients(%gwx0, %gwh0, %gb0, %gx0, %l0 : tensor<64x512xf32>, tensor<128x512xf32>, tensor<512xf32>, tensor<1000x8x64xf32>, tensor<f32>)
  primal {
  ^bb0(%t: index, %h: tensor<8x128xf32>, %c: tensor<8x128xf32>):
    %x = tensor.extract_slice %xs[%t, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<1000x8x64xf32> to tensor<8x64xf32>
    %ez = tensor.empty() : tensor<8x512xf32>
    %z0 = linalg.broadcast ins(%bias : tensor<512xf32>) outs(%ez : tensor<8x512xf32>) dimensions = [0]
    %z1 = linalg.matmul ins(%x, %wx : tensor<8x64xf32>, tensor<64x512xf32>) outs(%z0 : tensor<8x512xf32>) -> tensor<8x512xf32>
    %z = linalg.matmul ins(%h, %wh : tensor<8x128xf32>, tensor<128x512xf32>) outs(%z1 : tensor<8x512xf32>) -> tensor<8x512xf32>
    %zi = tensor.extract_slice %z[0, 0] [8, 128] [1, 1] : tensor<8x512xf32> to tensor<8x128xf32>
    %zf = tensor.extract_slice %z[0, 128] [8, 128] [1, 1] : tensor<8x512xf32> to tensor<8x128xf32>
    %zg = tensor.extract_slice %z[0, 256] [8, 128] [1, 1] : tensor<8x512xf32> to tensor<8x128xf32>
    %zo = tensor.extract_slice %z[0, 384] [8, 128] [1, 1] : tensor<8x512xf32> to tensor<8x128xf32>
    %e = tensor.empty() : tensor<8x128xf32>
    %next:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%zi, %zf, %zg, %zo, %c : tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>)
        outs(%e, %e : tensor<8x128xf32>, tensor<8x128xf32>) {
    ^bb0(%vi: f32, %vf: f32, %vg: f32, %vo: f32, %vc: f32, %o0: f32, %o1: f32):
      %ni = arith.negf %vi : f32
      %xi = math.exp %ni : f32
      %di = arith.addf %xi, %one : f32
      %si = arith.divf %one, %di : f32
      %nf = arith.negf %vf : f32
      %xf = math.exp %nf : f32
      %df = arith.addf %xf, %one : f32
      %sf = arith.divf %one, %df : f32
      %no = arith.negf %vo : f32
      %xo = math.exp %no : f32
      %do = arith.addf %xo, %one : f32
      %so = arith.divf %one, %do : f32
      %tg = math.tanh %vg : f32
      %c1 = arith.mulf %sf, %vc : f32
      %c2 = arith.mulf %si, %tg : f32
      %cn = arith.addf %c1, %c2 : f32
      %tc = math.tanh %cn : f32
      %hn = arith.mulf %so, %tc : f32
      linalg.yield %hn, %cn : f32, f32
    } -> (tensor<8x128xf32>, tensor<8x128xf32>)
    pebble.yield %next#0, %next#1 : tensor<8x128xf32>, tensor<8x128xf32>
  } turn {
  ^bb0(%h: tensor<8x128xf32>, %c: tensor<8x128xf32>, %ah: tensor<8x128xf32>, %ac: tensor<8x128xf32>,
       %gwx: tensor<64x512xf32>, %gwh: tensor<128x512xf32>, %gb: tensor<512xf32>, %gx: tensor<1000x8x64xf32>, %l: tensor<f32>):
    // The derivative of half a square is the value itself.
    %l1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
        ins(%h : tensor<8x128xf32>) outs(%l : tensor<f32>) {
    ^bb0(%v: f32, %sum: f32):
      %square = arith.mulf %v, %v : f32
      %part = arith.mulf %square, %half : f32
      %more = arith.addf %sum, %part : f32
      linalg.yield %more : f32
    } -> tensor<f32>
    pebble.yield %h, %ac, %gwx, %gwh, %gb, %gx, %l1 : tensor<8x128xf32>, tensor<8x128xf32>, tensor<64x512xf32>, tensor<128x512xf32>, tensor<512xf32>, tensor<1000x8x64xf32>, tensor<f32>
  } adjoint {
  ^bb0(%t: index, %h: tensor<8x128xf32>, %c: tensor<8x128xf32>, %ah: tensor<8x128xf32>, %ac: tensor<8x128xf32>,
       %gwx: tensor<64x512xf32>, %gwh: tensor<128x512xf32>, %gb: tensor<512xf32>, %gx: tensor<1000x8x64xf32>, %l: tensor<f32>):
    %x = tensor.extract_slice %xs[%t, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<1000x8x64xf32> to tensor<8x64xf32>
    %ez = tensor.empty() : tensor<8x512xf32>
    %z0 = linalg.broadcast ins(%bias : tensor<512xf32>) outs(%ez : tensor<8x512xf32>) dimensions = [0]
    %z1 = linalg.matmul ins(%x, %wx : tensor<8x64xf32>, tensor<64x512xf32>) outs(%z0 : tensor<8x512xf32>) -> tensor<8x512xf32>
    %z = linalg.matmul ins(%h, %wh : tensor<8x128xf32>, tensor<128x512xf32>) outs(%z1 : tensor<8x512xf32>) -> tensor<8x512xf32>
    %zi = tensor.extract_slice %z[0, 0] [8, 128] [1, 1] : tensor<8x512xf32> to tensor<8x128xf32>
    %zf = tensor.extract_slice %z[0, 128] [8, 128] [1, 1] : tensor<8x512xf32> to tensor<8x128xf32>
    %zg = tensor.extract_slice %z[0, 256] [8, 128] [1, 1] : tensor<8x512xf32> to tensor<8x128xf32>
    %zo = tensor.extract_slice %z[0, 384] [8, 128] [1, 1] : tensor<8x512xf32> to tensor<8x128xf32>
    %e = tensor.empty() : tensor<8x128xf32>
    %d:5 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%zi, %zf, %zg, %zo, %c, %ah, %ac : tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>)
        outs(%e, %e, %e, %e, %e : tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>) {
    ^bb0(%vi: f32, %vf: f32, %vg: f32, %vo: f32, %vc: f32, %vah: f32, %vac: f32, %o0: f32, %o1: f32, %o2: f32, %o3: f32, %o4: f32):
      %ni = arith.negf %vi : f32
      %xi = math.exp %ni : f32
      %di = arith.addf %xi, %one : f32
      %si = arith.divf %one, %di : f32
      %nf = arith.negf %vf : f32
      %xf = math.exp %nf : f32
      %df = arith.addf %xf, %one : f32
      %sf = arith.divf %one, %df : f32
      %no = arith.negf %vo : f32
      %xo = math.exp %no : f32
      %do = arith.addf %xo, %one : f32
      %so = arith.divf %one, %do : f32
      %tg = math.tanh %vg : f32
      %c1 = arith.mulf %sf, %vc : f32
      %c2 = arith.mulf %si, %tg : f32
      %cn = arith.addf %c1, %c2 : f32
      %tc = math.tanh %cn : f32
      // By the cell: through the hidden state, and what came from the next step.
      %tc2 = arith.mulf %tc, %tc : f32
      %dtc = arith.subf %one, %tc2 : f32
      %aso = arith.mulf %vah, %so : f32
      %ach = arith.mulf %aso, %dtc : f32
      %acn = arith.addf %vac, %ach : f32
      // By the gates, before their squashing.
      %i1 = arith.subf %one, %si : f32
      %i2 = arith.mulf %si, %i1 : f32
      %i3 = arith.mulf %acn, %tg : f32
      %dzi = arith.mulf %i3, %i2 : f32
      %f1 = arith.subf %one, %sf : f32
      %f2 = arith.mulf %sf, %f1 : f32
      %f3 = arith.mulf %acn, %vc : f32
      %dzf = arith.mulf %f3, %f2 : f32
      %g1 = arith.mulf %tg, %tg : f32
      %g2 = arith.subf %one, %g1 : f32
      %g3 = arith.mulf %acn, %si : f32
      %dzg = arith.mulf %g3, %g2 : f32
      %p1 = arith.subf %one, %so : f32
      %p2 = arith.mulf %so, %p1 : f32
      %p3 = arith.mulf %vah, %tc : f32
      %dzo = arith.mulf %p3, %p2 : f32
      %dc = arith.mulf %acn, %sf : f32
      linalg.yield %dzi, %dzf, %dzg, %dzo, %dc : f32, f32, f32, f32, f32
    } -> (tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>, tensor<8x128xf32>)
    %dz0 = tensor.insert_slice %d#0 into %ez[0, 0] [8, 128] [1, 1] : tensor<8x128xf32> into tensor<8x512xf32>
    %dz1 = tensor.insert_slice %d#1 into %dz0[0, 128] [8, 128] [1, 1] : tensor<8x128xf32> into tensor<8x512xf32>
    %dz2 = tensor.insert_slice %d#2 into %dz1[0, 256] [8, 128] [1, 1] : tensor<8x128xf32> into tensor<8x512xf32>
    %dz = tensor.insert_slice %d#3 into %dz2[0, 384] [8, 128] [1, 1] : tensor<8x128xf32> into tensor<8x512xf32>
    %gwx1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%x, %dz : tensor<8x64xf32>, tensor<8x512xf32>) outs(%gwx : tensor<64x512xf32>) -> tensor<64x512xf32>
    %gwh1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%h, %dz : tensor<8x128xf32>, tensor<8x512xf32>) outs(%gwh : tensor<128x512xf32>) -> tensor<128x512xf32>
    %gb1 = linalg.reduce {arith.addf} ins(%dz : tensor<8x512xf32>) outs(%gb : tensor<512xf32>) dimensions = [0]
    %ex = tensor.empty() : tensor<8x64xf32>
    %dx0 = linalg.fill ins(%zero : f32) outs(%ex : tensor<8x64xf32>) -> tensor<8x64xf32>
    %dx = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%dz, %wx : tensor<8x512xf32>, tensor<64x512xf32>) outs(%dx0 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %gx1 = tensor.insert_slice %dx into %gx[%t, 0, 0] [1, 8, 64] [1, 1, 1] : tensor<8x64xf32> into tensor<1000x8x64xf32>
    // By the state in the loss, and in the next step.
    %dh0 = linalg.copy ins(%h : tensor<8x128xf32>) outs(%e : tensor<8x128xf32>) -> tensor<8x128xf32>
    %dh = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%dz, %wh : tensor<8x512xf32>, tensor<128x512xf32>) outs(%dh0 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %l1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
        ins(%h : tensor<8x128xf32>) outs(%l : tensor<f32>) {
    ^bb0(%v: f32, %sum: f32):
      %square = arith.mulf %v, %v : f32
      %part = arith.mulf %square, %half : f32
      %more = arith.addf %sum, %part : f32
      linalg.yield %more : f32
    } -> tensor<f32>
    pebble.yield %dh, %d#4, %gwx1, %gwh1, %gb1, %gx1, %l1 : tensor<8x128xf32>, tensor<8x128xf32>, tensor<64x512xf32>, tensor<128x512xf32>, tensor<512xf32>, tensor<1000x8x64xf32>, tensor<f32>
  }
  return %r#8, %r#4, %r#5, %r#6, %r#7 : tensor<f32>, tensor<64x512xf32>, tensor<128x512xf32>, tensor<512xf32>, tensor<1000x8x64xf32>
}
