// What a form gives back is the value to the bit, NaNs too.
// RUN: split-file %s %t
// RUN: pebble-opt %t/halves.mlir --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s --check-prefix=HALVES
// RUN: pebble-opt %t/halves.mlir --pebble-schedule="budget=92%% derived-forms=true" -o %t/planned.mlir
// RUN: FileCheck %s --check-prefix=CUT < %t/planned.mlir
// RUN: pebble-run %t/halves.mlir --poison --json=%t/a.json && pebble-run %t/planned.mlir --poison --json=%t/b.json
// RUN: grep sha256 %t/a.json > %t/a && grep sha256 %t/b.json > %t/b && diff %t/a %t/b
// A rounding that is read back may have made one NaN of all, so it is no form.
// RUN: %pebble_build/test/bin/compare-functions %t/wide.mlir %t/cut.mlir | FileCheck %s --check-prefix=SAME
// RUN: sed 's/arith.bitcast %%half : i16 to bf16/arith.truncf %%q : f32 to bf16/' %t/cut.mlir > %t/rounded.mlir
// RUN: not %pebble_build/test/bin/compare-functions %t/wide.mlir %t/rounded.mlir | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/%%c16 :/%%c15 :/' %t/cut.mlir > %t/other.mlir
// RUN: not %pebble_build/test/bin/compare-functions %t/wide.mlir %t/other.mlir | FileCheck %s --check-prefix=OTHER
// Folding makes other NaNs than machines do, and other functions than libraries.
// RUN: pebble-opt %t/folded.mlir --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s --check-prefix=NONE
// RUN: sed 's/arith.divf %%s, %%zero/math.exp %%s/' %t/folded.mlir | pebble-opt - --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s --check-prefix=NONE
// RUN: sed 's/arith.divf %%s, %%zero/arith.mulf %%s, %%half fastmath<fast>/' %t/folded.mlir | pebble-opt - --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s --check-prefix=NONE
// RUN: sed 's/arith.divf %%s, %%zero/arith.mulf %%s, %%half/' %t/folded.mlir | pebble-opt - --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s --check-prefix=ONE
// HALVES: @main: 1 form
// HALVES-NEXT: %v: 8192 instead of 16384 bytes
// CUT: arith.shrui
// CUT-NEXT: arith.trunci
// CUT-NEXT: arith.bitcast
// SAME: same
// OTHER: error: the rewrite changed the program
// OTHER: different
// NONE: @main: 0 forms
// ONE: @main: 1 form

//--- halves.mlir
#id = affine_map<(a) -> (a)>
func.func @main(%i: tensor<4096xi16>, %x: tensor<4096xf32>) -> tensor<4096xi32> {
  %e16 = tensor.empty() : tensor<4096xbf16>
  %e = tensor.empty() : tensor<4096xf32>
  %k = arith.constant 64 : i16
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%i : tensor<4096xi16>) outs(%e16 : tensor<4096xbf16>) {
  ^bb0(%q: i16, %o: bf16):
    %s = arith.subi %q, %k : i16
    %f = arith.bitcast %s : i16 to bf16
    linalg.yield %f : bf16
  } -> tensor<4096xbf16>
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], pebble.cost = 100000000} ins(%b : tensor<4096xbf16>) outs(%e : tensor<4096xf32>) {
  ^bb0(%q: bf16, %o: f32):
    %f = arith.extf %q : bf16 to f32
    linalg.yield %f : f32
  } -> tensor<4096xf32>
  %a = linalg.exp ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %v : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%q: f32, %w: f32, %o: f32):
    %wi = arith.bitcast %w : f32 to i32
    %wf = arith.uitofp %wi : i32 to f32
    %f = arith.addf %q, %wf : f32
    linalg.yield %f : f32
  } -> tensor<4096xf32>
  %h = linalg.mul ins(%g, %a : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %c = linalg.exp ins(%h : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %d = linalg.mul ins(%c, %h : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %ei = tensor.empty() : tensor<4096xi32>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%d, %v : tensor<4096xf32>, tensor<4096xf32>) outs(%ei : tensor<4096xi32>) {
  ^bb0(%q: f32, %w: f32, %o: i32):
    %wi = arith.bitcast %w : f32 to i32
    %qi = arith.bitcast %q : f32 to i32
    %f = arith.xori %qi, %wi : i32
    linalg.yield %f : i32
  } -> tensor<4096xi32>
  return %z : tensor<4096xi32>
}

//--- wide.mlir
#id = affine_map<(i) -> (i)>
func.func @main(%b: tensor<64xbf16>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : tensor<64xbf16>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %y = arith.extf %x : bf16 to f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  return %a : tensor<64xf32>
}

//--- cut.mlir
#id = affine_map<(i) -> (i)>
func.func @main(%b: tensor<64xbf16>) -> tensor<64xf32> {
  %c16 = arith.constant 16 : i32
  %c15 = arith.constant 15 : i32
  %e = tensor.empty() : tensor<64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : tensor<64xbf16>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %y = arith.extf %x : bf16 to f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %n = tensor.empty() : tensor<64xbf16>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<64xf32>) outs(%n : tensor<64xbf16>) {
  ^bb0(%q: f32, %o: bf16):
    %bits = arith.bitcast %q : f32 to i32
    %upper = arith.shrui %bits, %c16 : i32
    %half = arith.trunci %upper : i32 to i16
    %y = arith.bitcast %half : i16 to bf16
    linalg.yield %y : bf16
  } -> tensor<64xbf16>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p : tensor<64xbf16>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %y = arith.extf %x : bf16 to f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  return %w : tensor<64xf32>
}

//--- folded.mlir
#id = affine_map<(a) -> (a)>
func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %e = tensor.empty() : tensor<4096xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%q: f32, %o: f32):
    %m = arith.cmpf ogt, %q, %half : f32
    %s = arith.select %m, %zero, %one : f32
    %w = arith.divf %s, %zero : f32
    linalg.yield %w : f32
  } -> tensor<4096xf32>
  %a = linalg.exp ins(%x : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %g = linalg.add ins(%a, %v : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %h = linalg.mul ins(%g, %a : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %c = linalg.exp ins(%h : tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %d = linalg.mul ins(%c, %h : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %z = linalg.mul ins(%d, %v : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  return %z : tensor<4096xf32>
}
