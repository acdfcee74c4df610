// Values that a form stands for are those that a machine makes. It may round an
// integer twice on its way to a bf16, which folding does not. With flags it may compute
// something else in another kernel: a sum in another order. Of such steps there are no
// forms, and what is written by hand is refused.
// RUN: split-file %s %t
// RUN: pebble-opt %t/twice.mlir --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s --check-prefix=NONE
// RUN: sed 's/16842753/16842752/; s/i32 to bf16/i32 to f32/; s/xbf16/xf32/g; s/: bf16/: f32/g' %t/twice.mlir > %t/once.mlir
// RUN: pebble-opt %t/once.mlir --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s --check-prefix=ONE
// RUN: pebble-opt %t/flags.mlir --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s --check-prefix=NONE
// RUN: sed 's/ fastmath<reassoc>//' %t/flags.mlir > %t/strict.mlir
// RUN: pebble-opt %t/strict.mlir --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s --check-prefix=ONE
// RUN: pebble-opt --quiet %t/flags.mlir --pebble-schedule="budget=85%% derived-forms=true" -o %t/flags-planned.mlir
// RUN: pebble-run %t/flags.mlir --seed=3 --json=%t/a.json && pebble-run %t/flags-planned.mlir --seed=3 --poison --json=%t/b.json
// RUN: grep sha256 %t/a.json > %t/a && grep sha256 %t/b.json > %t/b && diff %t/a %t/b
// RUN: %pebble_build/test/bin/compare-functions %t/inside.mlir %t/apart.mlir | FileCheck %s --check-prefix=SAME
// RUN: sed 's/arith.addf %%i, %%j/arith.addf %%i, %%j fastmath<reassoc>/' %t/inside.mlir > %t/inside-open.mlir
// RUN: sed 's/arith.addf %%i, %%j/arith.addf %%i, %%j fastmath<reassoc>/' %t/apart.mlir > %t/apart-open.mlir
// RUN: not %pebble_build/test/bin/compare-functions %t/inside-open.mlir %t/apart-open.mlir | FileCheck %s --check-prefix=OTHER
// RUN: %pebble_build/test/bin/compare-functions %t/apart-open.mlir %t/apart-open.mlir | FileCheck %s --check-prefix=SAME
// NONE: @main: 0 forms
// ONE: @main: 1 form
// SAME: same
// OTHER: different

//--- twice.mlir
#id = affine_map<(a) -> (a)>
func.func @main(%x: tensor<4096xf32>) -> (tensor<4096xbf16>, tensor<4096xf32>) {
  %half = arith.constant 0.5 : f32
  %big = arith.constant 16842753 : i32
  %none = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4096xf32>
  %eb = tensor.empty() : tensor<4096xbf16>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4096xf32>) outs(%eb : tensor<4096xbf16>) {
  ^bb0(%i: f32, %o: bf16):
    %m = arith.cmpf ogt, %i, %half : f32
    %s = arith.select %m, %big, %none : i32
    %t = arith.sitofp %s : i32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4096xbf16>
  %a = linalg.exp ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %b = linalg.mul ins(%a, %x : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %c = linalg.tanh ins(%b : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %g = linalg.add ins(%v, %v : tensor<4096xbf16>, tensor<4096xbf16>) outs(%eb : tensor<4096xbf16>) -> tensor<4096xbf16>
  return %g, %c : tensor<4096xbf16>, tensor<4096xf32>
}

//--- flags.mlir
#id = affine_map<(a) -> (a)>
func.func @main(%x: tensor<4096xf32> {pebble.range = [-2.0, 2.0]}, %w: tensor<4096xf32> {pebble.range = [-2.0, 2.0]}) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %e = tensor.empty() : tensor<4096xf32>
  %v = linalg.tanh {pebble.cost = 100000000} ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %u = linalg.exp ins(%w : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %a = linalg.add ins(%v, %u : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %b = linalg.mul ins(%a, %u : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %b2 = linalg.mul ins(%b, %u : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %c = linalg.tanh ins(%b2 : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %g = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]} ins(%v, %x, %w, %c : tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %d: f32, %o: f32):
    %kj = arith.addf %k, %j fastmath<reassoc> : f32
    %kji = arith.addf %kj, %i fastmath<reassoc> : f32
    %ij = arith.addf %i, %j : f32
    %ijk = arith.addf %ij, %k : f32
    %m = arith.cmpf ogt, %kji, %ijk : f32
    %t = arith.select %m, %d, %k : f32
    linalg.yield %t : f32
  } -> tensor<4096xf32>
  return %g, %c : tensor<4096xf32>, tensor<4096xf32>
}

//--- inside.mlir
#id = affine_map<(a) -> (a)>
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    %m = arith.cmpf ogt, %s, %zero : f32
    %t = arith.select %m, %j, %zero : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %g : tensor<64xf32>
}

//--- apart.mlir
#id = affine_map<(a) -> (a)>
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %f = bufferization.alloc_tensor() : tensor<64xi1>
  %zero = arith.constant 0.0 : f32
  %mask = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%f : tensor<64xi1>) {
  ^bb0(%i: f32, %j: f32, %o: i1):
    %s = arith.addf %i, %j : f32
    %m = arith.cmpf ogt, %s, %zero : f32
    linalg.yield %m : i1
  } -> tensor<64xi1>
  %e = bufferization.alloc_tensor() : tensor<64xf32>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%mask, %y : tensor<64xi1>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%m: i1, %j: f32, %o: f32):
    %t = arith.select %m, %j, %zero : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %g : tensor<64xf32>
}
