// Two calls of one function get what is left for each: versions of it. Both a call in a loop and functions that call
// others may have them. Results have equal bits, peaks are metered as predicted and keep to the budget.

// RUN: pebble-opt %s --pebble-schedule="budget-bytes=20480" --remarks-filter=pebble-schedule -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pebble-opt %t.mlir -cse -canonicalize --pebble-verify-schedule -o %t.clean.mlir
// RUN: pebble-run %s --json=%t.before.json
// RUN: pebble-run %t.mlir --json=%t.after.json
// RUN: pebble-run %t.clean.mlir --json=%t.clean.json
// RUN: grep sha256 %t.before.json > %t.before
// RUN: grep sha256 %t.after.json | diff %t.before -
// RUN: grep sha256 %t.clean.json | diff %t.before -
// RUN: FileCheck %s --check-prefix=METER --input-file=%t.after.json
// RUN: FileCheck %s --check-prefix=METER --input-file=%t.clean.json

// With more memory, and with the least, all calls are alike. Then there are no versions.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=28672" -o - | FileCheck %s --check-prefix=ALIKE
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=16384" -o - | FileCheck %s --check-prefix=ALIKE

// SAYS: what is left at each call goes to its callee: @inner (12288 bytes) at 1 call, @inner.1 (16384 bytes) at 2 calls, @outer
// CHECK-DAG: func.func private @inner(
// CHECK-DAG: func.func private @inner.1(
// CHECK: func.func @main
// CHECK-SAME: peak_bytes = 20480
// CHECK: call @inner(
// CHECK: scf.for
// CHECK: call @inner.1(
// CHECK: call @outer(
// METER: "peak_bytes"
// METER: "default": 20480
// METER: "predicted_peak_bytes"
// METER: "default": 20480
// METER-NOT: predicted_is_bound
// ALIKE-NOT: @inner.1

func.func private @inner(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.tanh ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %c = linalg.exp ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %d = linalg.mul ins(%c, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%c : tensor<1024xf32>) -> tensor<1024xf32>
  return %d : tensor<1024xf32>
}
func.func private @outer(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %r = call @inner(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %r : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<1024xf32>
  %o = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a = linalg.tanh ins(%o : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.exp ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %q = call @inner(%b) : (tensor<1024xf32>) -> tensor<1024xf32>
  %r = linalg.mul ins(%q, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%q : tensor<1024xf32>) -> tensor<1024xf32>
  %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %r) -> (tensor<1024xf32>) {
    %t = func.call @inner(%s) : (tensor<1024xf32>) -> tensor<1024xf32>
    scf.yield %t : tensor<1024xf32>
  }
  %u = call @outer(%l) : (tensor<1024xf32>) -> tensor<1024xf32>
  return %u : tensor<1024xf32>
}
