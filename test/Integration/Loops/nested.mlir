// PATH=$PWD/build/bin:$PATH test/Integration/Loops/reverse.py test/Integration/Loops/nested.mlir --options=slots=4
// RUN: %python %S/reverse.py %s --options=slots=1 --options=slots=4 | FileCheck %s
// RUN: %python %S/gradients.py %s --options=slots=4 "--replace=20 : index=>2 : index" --of=1:0,2:1,3:2,4:3 | FileCheck %s --check-prefix=GRADIENT
// The inner loop needs no final state: 144 = t(50, 4); 40 = t(20, 4) + 1.
// CHECK: all states
// CHECK: slots=1: {{.*}} forward steps 1225+191
// CHECK: slots=4: {{.*}} forward steps 144+40
// GRADIENT-COUNT-4: differences agree
// Time steps inside epochs, reversed as a whole: each of 20 epochs takes 50
// steps of a pendulum's phase with a force of its own, then damps it. The
// adjoint of an epoch is the adjoint of the loop over its steps. Results are
// the loss and its gradients by the first phase, the forces and the coupling.
func.func @main(%q0: tensor<64xf32>, %p0: tensor<64xf32>, %force: tensor<20x64xf32>,
                %pull: tensor<64xf32>)
    -> (tensor<f32>, tensor<64xf32>, tensor<64xf32>, tensor<20x64xf32>, tensor<64xf32>) {
  %epochs = arith.constant 20 : index
  %steps = arith.constant 50 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %dt = arith.constant 0.05 : f32
  %damp = arith.constant 0.9 : f32
  %e = tensor.empty() : tensor<64xf32>
  %ef = tensor.empty() : tensor<20x64xf32>
  %aq0 = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %ap0 = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %gf0 = linalg.fill ins(%zero : f32) outs(%ef : tensor<20x64xf32>) -> tensor<20x64xf32>
  %gk0 = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r:6 = pebble.adjoint_loop %epochs states(%q0, %p0 : tensor<64xf32>, tensor<64xf32>)
      adjoints(%aq0, %ap0 : tensor<64xf32>, tensor<64xf32>)
      gradients(%gf0, %gk0 : tensor<20x64xf32>, tensor<64xf32>)
  primal {
  ^bb0(%epoch: index, %q: tensor<64xf32>, %p: tensor<64xf32>):
    %f = tensor.extract_slice %force[%epoch, 0] [1, 64] [1, 1] : tensor<20x64xf32> to tensor<64xf32>
    %end:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%qt = %q, %pt = %p) -> (tensor<64xf32>, tensor<64xf32>) {
      %next:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%f, %pull : tensor<64xf32>, tensor<64xf32>) outs(%qt, %pt : tensor<64xf32>, tensor<64xf32>) {
      ^bb0(%vf: f32, %vk: f32, %vq: f32, %vp: f32):
        %sin = math.sin %vq : f32
        %ks = arith.mulf %vk, %sin : f32
        %net = arith.subf %vf, %ks : f32
        %dp = arith.mulf %dt, %net : f32
        %pn = arith.addf %vp, %dp : f32
        %dq = arith.mulf %dt, %pn : f32
        %qn = arith.addf %vq, %dq : f32
        linalg.yield %qn, %pn : f32, f32
      } -> (tensor<64xf32>, tensor<64xf32>)
      scf.yield %next#0, %next#1 : tensor<64xf32>, tensor<64xf32>
    }
    %pd = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%end#1 : tensor<64xf32>) {
    ^bb0(%v: f32):
      %m = arith.mulf %v, %damp : f32
      linalg.yield %m : f32
    } -> tensor<64xf32>
    pebble.yield %end#0, %pd : tensor<64xf32>, tensor<64xf32>
  } turn {
  ^bb0(%q: tensor<64xf32>, %p: tensor<64xf32>, %aq: tensor<64xf32>, %ap: tensor<64xf32>, %gf: tensor<20x64xf32>, %gk: tensor<64xf32>):
    pebble.yield %q, %ap, %gf, %gk : tensor<64xf32>, tensor<64xf32>, tensor<20x64xf32>, tensor<64xf32>
  } adjoint {
  ^bb0(%epoch: index, %q: tensor<64xf32>, %p: tensor<64xf32>, %aq: tensor<64xf32>, %ap: tensor<64xf32>, %gf: tensor<20x64xf32>, %gk: tensor<64xf32>):
    %f = tensor.extract_slice %force[%epoch, 0] [1, 64] [1, 1] : tensor<20x64xf32> to tensor<64xf32>
    %apd = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%ap : tensor<64xf32>) {
    ^bb0(%v: f32):
      %m = arith.mulf %v, %damp : f32
      linalg.yield %m : f32
    } -> tensor<64xf32>
    %gi = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %in:6 = pebble.adjoint_loop %steps states(%q, %p : tensor<64xf32>, tensor<64xf32>)
        adjoints(%aq, %apd : tensor<64xf32>, tensor<64xf32>) gradients(%gi, %gk : tensor<64xf32>, tensor<64xf32>)
    primal {
    ^bb0(%t: index, %qt: tensor<64xf32>, %pt: tensor<64xf32>):
      %next:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%f, %pull : tensor<64xf32>, tensor<64xf32>) outs(%qt, %pt : tensor<64xf32>, tensor<64xf32>) {
      ^bb0(%vf: f32, %vk: f32, %vq: f32, %vp: f32):
        %sin = math.sin %vq : f32
        %ks = arith.mulf %vk, %sin : f32
        %net = arith.subf %vf, %ks : f32
        %dp = arith.mulf %dt, %net : f32
        %pn = arith.addf %vp, %dp : f32
        %dq = arith.mulf %dt, %pn : f32
        %qn = arith.addf %vq, %dq : f32
        linalg.yield %qn, %pn : f32, f32
      } -> (tensor<64xf32>, tensor<64xf32>)
      pebble.yield %next#0, %next#1 : tensor<64xf32>, tensor<64xf32>
    } adjoint {
    ^bb0(%t: index, %qt: tensor<64xf32>, %pt: tensor<64xf32>, %aqt: tensor<64xf32>, %apt: tensor<64xf32>, %gft: tensor<64xf32>, %gkt: tensor<64xf32>):
      %back:4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%qt, %pull : tensor<64xf32>, tensor<64xf32>) outs(%aqt, %apt, %gft, %gkt : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
      ^bb0(%vq: f32, %vk: f32, %vaq: f32, %vap: f32, %vgf: f32, %vgk: f32):
        %sin = math.sin %vq : f32
        %cos = math.cos %vq : f32
        %through = arith.mulf %dt, %vaq : f32
        %apn = arith.addf %vap, %through : f32
        %anet = arith.mulf %dt, %apn : f32
        %kc = arith.mulf %vk, %cos : f32
        %daq = arith.mulf %anet, %kc : f32
        %aqn = arith.subf %vaq, %daq : f32
        %gfn = arith.addf %vgf, %anet : f32
        %dgk = arith.mulf %anet, %sin : f32
        %gkn = arith.subf %vgk, %dgk : f32
        linalg.yield %aqn, %apn, %gfn, %gkn : f32, f32, f32, f32
      } -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
      pebble.yield %back#0, %back#1, %back#2, %back#3 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
    }
    %gfo = tensor.insert_slice %in#4 into %gf[%epoch, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<20x64xf32>
    pebble.yield %in#2, %in#3, %gfo, %in#5 : tensor<64xf32>, tensor<64xf32>, tensor<20x64xf32>, tensor<64xf32>
  }
  %el = tensor.empty() : tensor<f32>
  %half = arith.constant 0.5 : f32
  %l0 = linalg.fill ins(%zero : f32) outs(%el : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%r#0 : tensor<64xf32>) outs(%l0 : tensor<f32>) {
  ^bb0(%v: f32, %sum: f32):
    %square = arith.mulf %v, %v : f32
    %part = arith.mulf %square, %half : f32
    %more = arith.addf %sum, %part : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %loss, %r#2, %r#3, %r#4, %r#5 : tensor<f32>, tensor<64xf32>, tensor<64xf32>, tensor<20x64xf32>, tensor<64xf32>
}
