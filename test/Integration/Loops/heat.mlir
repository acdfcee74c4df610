// PATH=$PWD/build/bin:$PATH test/Integration/Loops/reverse.py test/Integration/Loops/heat.mlir --options=slots=10
// RUN: %python %S/reverse.py %s --options=slots=10 --options=slots=100 | FileCheck %s
// RUN: %python %S/gradients.py %s --options=slots=4 "--replace=10000=>50" --of=1:0,2:1 | FileCheck %s --check-prefix=GRADIENT
// 57625 = t(10000, 10) + 1. A state takes 64 KiB.
// CHECK: all states: peak {'default': 655880448}
// CHECK: slots=10: peak {'default': 1175936}, forward steps 57625
// CHECK: slots=100: peak {'default': {{[0-9]+}}}, forward steps {{[0-9]+}}
// RUN: %python %S/reverse.py %s --target=h100-approx --options="slots=10 schedule=two-tier" | FileCheck %s --check-prefix=TIERS
// TIERS: slots=10 schedule=two-tier: peak {{.*}}moved {'hbm->host': {{[0-9]+}}, 'host->hbm': {{[0-9]+}}}, forward steps {{[0-9]+}}
// GRADIENT-COUNT-2: differences agree
// The adjoint of a two-dimensional heat equation over 10,000 steps on 128 x 128
// cells, whose conductivity differs from cell to cell:
//   u[t+1] = u[t] + k * (north + south + west + east - 4 u[t])   inside,
//   u[t+1] = u[t]                                                on the border.
// The loss is half the squared distance of u[10000] from what was observed;
// results are the loss and its gradients by u[0] and by k (inside).
func.func @main(%u0: tensor<128x128xf32>,
                %k: tensor<126x126xf32> {pebble.range = [0.05, 0.2]},
                %seen: tensor<128x128xf32>)
    -> (tensor<f32>, tensor<128x128xf32>, tensor<126x126xf32>) {
  %n = arith.constant 10000 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %four = arith.constant 4.0 : f32
  %eu = tensor.empty() : tensor<128x128xf32>
  %ek = tensor.empty() : tensor<126x126xf32>
  %a0 = linalg.fill ins(%zero : f32) outs(%eu : tensor<128x128xf32>) -> tensor<128x128xf32>
  %g0 = linalg.fill ins(%zero : f32) outs(%ek : tensor<126x126xf32>) -> tensor<126x126xf32>
  %u, %du, %dk = pebble.adjoint_loop %n states(%u0 : tensor<128x128xf32>)
      adjoints(%a0 : tensor<128x128xf32>) gradients(%g0 : tensor<126x126xf32>) primal {
  ^bb0(%t: index, %s: tensor<128x128xf32>):
    %center = tensor.extract_slice %s[1, 1] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %north = tensor.extract_slice %s[0, 1] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %south = tensor.extract_slice %s[2, 1] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %west = tensor.extract_slice %s[1, 0] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %east = tensor.extract_slice %s[1, 2] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %e = tensor.empty() : tensor<126x126xf32>
    %inside = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%center, %north, %south, %west, %east, %k : tensor<126x126xf32>, tensor<126x126xf32>, tensor<126x126xf32>, tensor<126x126xf32>, tensor<126x126xf32>, tensor<126x126xf32>)
        outs(%e : tensor<126x126xf32>) {
    ^bb0(%c: f32, %vn: f32, %vs: f32, %vw: f32, %ve: f32, %vk: f32, %o: f32):
      %1 = arith.addf %vn, %vs : f32
      %2 = arith.addf %vw, %ve : f32
      %3 = arith.addf %1, %2 : f32
      %4 = arith.mulf %four, %c : f32
      %5 = arith.subf %3, %4 : f32
      %6 = arith.mulf %vk, %5 : f32
      %7 = arith.addf %c, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<126x126xf32>
    %next = tensor.insert_slice %inside into %s[1, 1] [126, 126] [1, 1] : tensor<126x126xf32> into tensor<128x128xf32>
    pebble.yield %next : tensor<128x128xf32>
  } turn {
  ^bb0(%s: tensor<128x128xf32>, %a: tensor<128x128xf32>, %g: tensor<126x126xf32>):
    %miss = linalg.sub ins(%s, %seen : tensor<128x128xf32>, tensor<128x128xf32>) outs(%a : tensor<128x128xf32>) -> tensor<128x128xf32>
    pebble.yield %miss, %g : tensor<128x128xf32>, tensor<126x126xf32>
  } adjoint {
  ^bb0(%t: index, %s: tensor<128x128xf32>, %a: tensor<128x128xf32>, %g: tensor<126x126xf32>):
    %center = tensor.extract_slice %s[1, 1] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %north = tensor.extract_slice %s[0, 1] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %south = tensor.extract_slice %s[2, 1] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %west = tensor.extract_slice %s[1, 0] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %east = tensor.extract_slice %s[1, 2] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %ain = tensor.extract_slice %a[1, 1] [126, 126] [1, 1] : tensor<128x128xf32> to tensor<126x126xf32>
    %more = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%center, %north, %south, %west, %east, %ain : tensor<126x126xf32>, tensor<126x126xf32>, tensor<126x126xf32>, tensor<126x126xf32>, tensor<126x126xf32>, tensor<126x126xf32>)
        outs(%g : tensor<126x126xf32>) {
    ^bb0(%c: f32, %vn: f32, %vs: f32, %vw: f32, %ve: f32, %va: f32, %sum: f32):
      %1 = arith.addf %vn, %vs : f32
      %2 = arith.addf %vw, %ve : f32
      %3 = arith.addf %1, %2 : f32
      %4 = arith.mulf %four, %c : f32
      %5 = arith.subf %3, %4 : f32
      %6 = arith.mulf %va, %5 : f32
      %7 = arith.addf %sum, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<126x126xf32>
    // k * a with two rows and columns of zeros around it.
    %ew = tensor.empty() : tensor<130x130xf32>
    %w0 = linalg.fill ins(%zero : f32) outs(%ew : tensor<130x130xf32>) -> tensor<130x130xf32>
    %e = tensor.empty() : tensor<126x126xf32>
    %ka = linalg.mul ins(%k, %ain : tensor<126x126xf32>, tensor<126x126xf32>) outs(%e : tensor<126x126xf32>) -> tensor<126x126xf32>
    %w = tensor.insert_slice %ka into %w0[2, 2] [126, 126] [1, 1] : tensor<126x126xf32> into tensor<130x130xf32>
    %wc = tensor.extract_slice %w[1, 1] [128, 128] [1, 1] : tensor<130x130xf32> to tensor<128x128xf32>
    %wn = tensor.extract_slice %w[0, 1] [128, 128] [1, 1] : tensor<130x130xf32> to tensor<128x128xf32>
    %ws = tensor.extract_slice %w[2, 1] [128, 128] [1, 1] : tensor<130x130xf32> to tensor<128x128xf32>
    %ww = tensor.extract_slice %w[1, 0] [128, 128] [1, 1] : tensor<130x130xf32> to tensor<128x128xf32>
    %we = tensor.extract_slice %w[1, 2] [128, 128] [1, 1] : tensor<130x130xf32> to tensor<128x128xf32>
    %back = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%wc, %wn, %ws, %ww, %we : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>)
        outs(%a : tensor<128x128xf32>) {
    ^bb0(%c: f32, %vn: f32, %vs: f32, %vw: f32, %ve: f32, %va: f32):
      %1 = arith.addf %vn, %vs : f32
      %2 = arith.addf %vw, %ve : f32
      %3 = arith.addf %1, %2 : f32
      %4 = arith.mulf %four, %c : f32
      %5 = arith.subf %3, %4 : f32
      %6 = arith.addf %va, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<128x128xf32>
    pebble.yield %back, %more : tensor<128x128xf32>, tensor<126x126xf32>
  }
  %el = tensor.empty() : tensor<f32>
  %l0 = linalg.fill ins(%zero : f32) outs(%el : tensor<f32>) -> tensor<f32>
  %loss = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%u, %seen : tensor<128x128xf32>, tensor<128x128xf32>) outs(%l0 : tensor<f32>) {
  ^bb0(%v: f32, %o: f32, %sum: f32):
    %miss = arith.subf %v, %o : f32
    %square = arith.mulf %miss, %miss : f32
    %part = arith.mulf %square, %half : f32
    %more = arith.addf %sum, %part : f32
    linalg.yield %more : f32
  } -> tensor<f32>
  return %loss, %du, %dk : tensor<f32>, tensor<128x128xf32>, tensor<126x126xf32>
}
