// A max-pool whose gradient spreads out what comes back by the position of each
// maximum, and a rectifier: positions and signs are kept as bits. The results are
// the same to the bit, and what is metered is what was planned.
// RUN: pebble-opt --quiet %s --pebble-schedule="budget=75%% derived-forms=true" -o %t.forms.mlir
// RUN: FileCheck %s < %t.forms.mlir
// RUN: pebble-opt %t.forms.mlir -cse -canonicalize --pebble-verify-schedule -o %t.clean.mlir
// RUN: pebble-run %s --seed=3 --json=%t.before.json
// RUN: pebble-run %t.forms.mlir --seed=3 --poison --json=%t.after.json 2>&1 | FileCheck %s --check-prefix=METER
// RUN: pebble-run %t.clean.mlir --seed=3 --poison --json=%t.clean.json 2>&1 | FileCheck %s --check-prefix=METER
// RUN: grep sha256 %t.before.json > %t.before
// RUN: grep sha256 %t.after.json | diff %t.before -
// RUN: grep sha256 %t.clean.json | diff %t.before -
// CHECK: derived_bytes = {{[1-9][0-9]*}} : i64, derived_values = 2 : i64
// CHECK-COUNT-2: outs({{.*}} : tensor<8x8xi8>)
// METER: peak in default {{.*}} as predicted

#id = affine_map<(a, b) -> (a, b)>
#half = affine_map<(a, b) -> (a, b floordiv 2)>
func.func @main(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %least = arith.constant -1.0e30 : f32
  %none = arith.constant -1 : i32
  %two = arith.constant 2 : index
  %window = tensor.empty() : tensor<2xf32>
  %e = tensor.empty() : tensor<8x64xf32>
  %s = tensor.empty() : tensor<8x32xf32>
  %p = tensor.empty() : tensor<8x32xi32>
  %t0 = linalg.tanh ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %t1 = linalg.exp ins(%t0 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %v = linalg.log {pebble.name = "v"} ins(%t1 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], pebble.name = "h"} ins(%v : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.maximumf %i, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x64xf32>
  %start = linalg.fill ins(%least : f32) outs(%s : tensor<8x32xf32>) -> tensor<8x32xf32>
  %nowhere = linalg.fill ins(%none : i32) outs(%p : tensor<8x32xi32>) -> tensor<8x32xi32>
  %pool:2 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b * 2 + c)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b)>, affine_map<(a, b, c) -> (a, b)>], iterator_types = ["parallel", "parallel", "reduction"], pebble.name = ["most", "place"]} ins(%h, %window : tensor<8x64xf32>, tensor<2xf32>) outs(%start, %nowhere : tensor<8x32xf32>, tensor<8x32xi32>) {
  ^bb0(%i: f32, %w: f32, %o: f32, %q: i32):
    %c = arith.cmpf ogt, %i, %o : f32
    %j = linalg.index 2 : index
    %k = arith.index_cast %j : index to i32
    %r = arith.select %c, %i, %o : f32
    %u = arith.select %c, %k, %q : i32
    linalg.yield %r, %u : f32, i32
  } -> (tensor<8x32xf32>, tensor<8x32xi32>)
  %wide = linalg.generic {indexing_maps = [#half, #id], iterator_types = ["parallel", "parallel"]} ins(%pool#0 : tensor<8x32xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<8x64xf32>
  %a = linalg.exp ins(%wide : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %b = linalg.mul ins(%a, %wide : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %c = linalg.exp ins(%b : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %back = linalg.generic {indexing_maps = [#half, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%pool#1, %c : tensor<8x32xi32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%q: i32, %i: f32, %o: f32):
    %j = linalg.index 1 : index
    %k = arith.remui %j, %two : index
    %l = arith.index_cast %k : index to i32
    %m = arith.cmpi eq, %l, %q : i32
    %r = arith.select %m, %i, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x64xf32>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"], pebble.name = "g"} ins(%v, %back : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %m = arith.cmpf ogt, %i, %zero : f32
    %r = arith.select %m, %j, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8x64xf32>
  return %g : tensor<8x64xf32>
}
