// A rectifier and its gradient in the body of a loop. Its values have forms as those
// of a function have. The results are the same to the bit, what is metered is what
// was planned, and the plan survives other passes.
// RUN: pebble-opt --quiet %s --pebble-schedule="budget=85%%" -o %t.again.mlir
// RUN: FileCheck %s --check-prefix=AGAIN < %t.again.mlir
// RUN: pebble-opt --quiet %s --pebble-schedule="budget=85%% derived-forms=true" --remarks-filter=pebble-schedule -o %t.forms.mlir 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: FileCheck %s < %t.forms.mlir
// RUN: pebble-opt %t.forms.mlir -cse -canonicalize --pebble-verify-schedule -o %t.clean.mlir
// RUN: pebble-run %s --seed=3 --json=%t.before.json
// RUN: pebble-run %t.forms.mlir --seed=3 --poison --json=%t.after.json 2>&1 | FileCheck %s --check-prefix=METER
// RUN: pebble-run %t.clean.mlir --seed=3 --poison --json=%t.clean.json 2>&1 | FileCheck %s --check-prefix=METER
// RUN: grep sha256 %t.before.json > %t.before
// RUN: grep sha256 %t.after.json | diff %t.before -
// RUN: grep sha256 %t.clean.json | diff %t.before -
// AGAIN: pebble.result = {{.*}} recomputed_values = 1
// SAYS: v is kept in a form of 512 bytes instead of 16384
// CHECK: derived_bytes = 16384 : i64, derived_values = 1 : i64{{.*}} recomputed_values = 0
// CHECK: scf.for
// CHECK: outs({{.*}} : tensor<512xi8>)
// METER: peak in default {{.*}} as predicted

#id = affine_map<(a) -> (a)>
func.func @main(%x0: tensor<4096xf32>) -> tensor<4096xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> (tensor<4096xf32>) {
    %e = tensor.empty() : tensor<4096xf32>
    %v = linalg.tanh {pebble.name = "v"} ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
    %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], pebble.name = "h"} ins(%v : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
    ^bb0(%p: f32, %o: f32):
      %t = arith.maximumf %p, %zero : f32
      linalg.yield %t : f32
    } -> tensor<4096xf32>
    %a = linalg.exp {pebble.name = "a"} ins(%h : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
    %b = linalg.mul {pebble.name = "b"} ins(%a, %h : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
    %c = linalg.tanh {pebble.name = "c"} ins(%b : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
    %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"], pebble.name = "g"} ins(%v, %c : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %m = arith.cmpf ogt, %p, %zero : f32
      %t = arith.select %m, %q, %zero : f32
      linalg.yield %t : f32
    } -> tensor<4096xf32>
    scf.yield %g : tensor<4096xf32>
  }
  return %y : tensor<4096xf32>
}
