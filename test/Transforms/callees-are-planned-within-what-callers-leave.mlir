// A callee keeps within what its callers leave at each call, not within the
// whole budget: @inner makes its %a again although it would fit by itself. What
// an error names is the budget of the program.

// RUN: pebble-opt %s --pebble-schedule="budget-bytes=16384" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pebble-opt %t.mlir -cse -canonicalize --pebble-verify-schedule -o /dev/null
// RUN: pebble-run %s --json=%t.before.json
// RUN: pebble-run %t.mlir --json=%t.after.json
// RUN: grep sha256 %t.before.json > %t.before
// RUN: grep sha256 %t.after.json | diff %t.before -
// RUN: FileCheck %s --check-prefix=METER --input-file=%t.after.json
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=12288" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=20480 means=none" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER

// CHECK: func.func private @inner
// CHECK-SAME: cost = 41984
// CHECK-SAME: peak_bytes = 12288
// CHECK-COUNT-4: linalg.exp
// CHECK: func.func @main
// CHECK-SAME: bound = 44032
// CHECK-SAME: input_peak_bytes = 24576
// CHECK-SAME: peak_bytes = 16384
// CHECK-SAME: status = "feasible"

// METER: "peak_bytes"
// METER: "fast": 16384
// METER: "predicted_peak_bytes"
// METER: "fast": 16384
// METER-NOT: predicted_is_bound

// LESS: [[#@LINE+19]]:10: error: no schedule fits in the budget of 12288 bytes; the smallest feasible budget is 16384 bytes (proven)
// ORDER: [[#@LINE+18]]:10: error: no order fits in the budget of 20480 bytes; the smallest feasible budget is 24576 bytes (proven)

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"fast", kind = explicit, read = 1, write = 1, bandwidth = 1000, latency = 10>,
    <"slow", kind = explicit, read = 100, write = 100, bandwidth = 100, latency = 100>]>} {
  func.func private @inner(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b = linalg.exp ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %c = linalg.exp ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %d = linalg.mul ins(%c, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%c : tensor<1024xf32>) -> tensor<1024xf32>
    return %d : tensor<1024xf32>
  }
  func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %a = linalg.negf ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b = linalg.exp ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    // The peak of the leanest schedule.
    %q = call @inner(%b) : (tensor<1024xf32>) -> tensor<1024xf32>
    %r = linalg.mul ins(%q, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%q : tensor<1024xf32>) -> tensor<1024xf32>
    return %r : tensor<1024xf32>
  }
}
