// PATH=$PWD/build/bin:$PATH sh -c "pebble-opt test/Integration/Loops/raised.mlir --pebble-raise-loops --pebble-checkpoint-loops=slots=4 | pebble-run - --json=/dev/stdout"
// Two loops that talk over tapes give the same results when they are raised to
// a loop and its adjoint, with all states kept and with few.
// RUN: pebble-opt %s --pebble-raise-loops -o %t.mlir
// RUN: grep -c pebble.adjoint_loop %t.mlir | FileCheck %s --check-prefix=ONE
// ONE: 1
// RUN: pebble-run %s --seed=3 --json=%t.before
// RUN: pebble-run %t.mlir --seed=3 --json=%t.after
// RUN: grep results_sha256 %t.before > %t.sum
// RUN: grep results_sha256 %t.after | diff - %t.sum
// RUN: %python %S/reverse.py %t.mlir --options=slots=3 | FileCheck %s
// CHECK: all states: peak {'default': 14848}
// CHECK: slots=3: peak {'default': 3136}

// Two steps more than slots fill them; fewer do not, and the peak is a bound.
// RUN: sed 's/%n = arith.constant 50/%n = arith.constant 5/; s/50x64/5x64/g' %s > %t.five.mlir
// RUN: pebble-opt %t.five.mlir --pebble-raise-loops --pebble-checkpoint-loops=slots=3 | pebble-run - --json=%t.json && not grep predicted_is_bound %t.json
// RUN: sed 's/%n = arith.constant 50/%n = arith.constant 4/; s/50x64/4x64/g' %s > %t.four.mlir
// RUN: pebble-opt %t.four.mlir --pebble-raise-loops --pebble-checkpoint-loops=slots=3 | pebble-run - --json=%t.json && grep predicted_is_bound %t.json
// RUN: sed 's/%n = arith.constant 50/%n = arith.constant 0/; s/50x64/1x64/g' %s > %t.none.mlir
// RUN: pebble-opt %t.none.mlir --pebble-raise-loops --pebble-checkpoint-loops=slots=3 --pebble-order-operations -o %t.none.planned.mlir
// RUN: pebble-run %t.none.planned.mlir --seed=3 --json=%t.none.json && grep -q '"predicted_is_bound": true' %t.none.json
// RUN: pebble-run %t.none.mlir --seed=3 --json=%t.none.before
// RUN: grep results_sha256 %t.none.before > %t.sum
// RUN: grep results_sha256 %t.none.json | diff - %t.sum
func.func @main(%x: tensor<64xf32>, %w: tensor<64xf32>) -> (tensor<f32>, tensor<64xf32>, tensor<64xf32>) {
  %n = arith.constant 50 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %t0 = tensor.empty() : tensor<50x64xf32>
  %f:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %ts = %t0, %tu = %t0) -> (tensor<64xf32>, tensor<50x64xf32>, tensor<50x64xf32>) {
    %ts1 = tensor.insert_slice %s into %ts[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<50x64xf32>
    %u = arith.mulf %w, %s : tensor<64xf32>
    %tu1 = tensor.insert_slice %u into %tu[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<50x64xf32>
    %next = math.sin %u : tensor<64xf32>
    scf.yield %next, %ts1, %tu1 : tensor<64xf32>, tensor<50x64xf32>, tensor<50x64xf32>
  }
  %el = tensor.empty() : tensor<f32>
  %l0 = linalg.fill ins(%zero : f32) outs(%el : tensor<f32>) -> tensor<f32>
  %loss = linalg.reduce {arith.addf} ins(%f#0 : tensor<64xf32>) outs(%l0 : tensor<f32>) dimensions = [0]
  %a0 = math.cos %f#0 : tensor<64xf32>
  %g0 = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %last = arith.subi %n, %c1 : index
  %b:2 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %a0, %g = %g0) -> (tensor<64xf32>, tensor<64xf32>) {
    %k = arith.subi %last, %j : index
    %s = tensor.extract_slice %f#1[%k, 0] [1, 64] [1, 1] : tensor<50x64xf32> to tensor<64xf32>
    %u = tensor.extract_slice %f#2[%k, 0] [1, 64] [1, 1] : tensor<50x64xf32> to tensor<64xf32>
    %cos = math.cos %u : tensor<64xf32>
    %du = arith.mulf %cos, %a : tensor<64xf32>
    %da = arith.mulf %w, %du : tensor<64xf32>
    %dg = arith.mulf %s, %du : tensor<64xf32>
    %sum = arith.addf %g, %dg : tensor<64xf32>
    scf.yield %da, %sum : tensor<64xf32>, tensor<64xf32>
  }
  return %loss, %b#0, %b#1 : tensor<f32>, tensor<64xf32>, tensor<64xf32>
}
