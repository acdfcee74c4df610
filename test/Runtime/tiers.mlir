// A value goes to the slow tier and comes back: what was predicted is what the
// meter reads, in memory and with a file behind the slow tier, and what came
// back is what went.
// RUN: rm -rf %t && mkdir -p %t/slow
// RUN: pebble-run %s --poison --json=%t/a.json --output-dir=%t/a && FileCheck %s --input-file=%t/a.json
// RUN: pebble-run %s --poison --json=%t/b.json --output-dir=%t/b --slow-dir=%t/slow && FileCheck %s --input-file=%t/b.json
// RUN: diff %t/a/result0.npy %t/b/result0.npy && diff %t/a/result0.npy %t/a/result1.npy
// RUN: not pebble-run %s --slow-dir=%t/nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: --slow-dir: cannot make a directory {{.*}}nowhere

// In red: x, its copy (4032 each), and for a time the value that comes back.
// CHECK: "peak_bytes": {
// CHECK-NEXT: "red": 12096,
// CHECK-NEXT: "blue": 4032
// CHECK: "moved_bytes": {
// CHECK-NEXT: "red->blue": 4000,
// CHECK-NEXT: "blue->red": 4000
// CHECK: "predicted_peak_bytes": {
// CHECK-NEXT: "red": 12096,
// CHECK-NEXT: "blue": 4032
// CHECK: "predicted_moved_bytes": {
// CHECK-DAG: "red->blue": 4000
// CHECK-DAG: "blue->red": 4000
module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"l1", kind = cache, capacity = 1024>, <"red", kind = explicit>, <"blue", kind = explicit>]>} {
  func.func @main(%x: tensor<1000xf32>) -> (tensor<1000xf32>, tensor<1000xf32>) {
    %d = tensor.empty() : tensor<1000xf32>
    %y = linalg.exp ins(%x : tensor<1000xf32>) outs(%d : tensor<1000xf32>) -> tensor<1000xf32>
    %away, %t = pebble.store %y : tensor<1000xf32> -> tensor<1000xf32, #pebble.at<"blue">>
    %there = pebble.wait %t for %away : tensor<1000xf32, #pebble.at<"blue">>
    %back, %u = pebble.load %there : tensor<1000xf32, #pebble.at<"blue">> -> tensor<1000xf32>
    %z = pebble.wait %u for %back : tensor<1000xf32>
    pebble.drop %there : tensor<1000xf32, #pebble.at<"blue">>
    return %y, %z : tensor<1000xf32>, tensor<1000xf32>
  }
}
