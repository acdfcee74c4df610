// The state of an optimiser begins and ends in a slower tier, because its
// arguments and results say so: it is fetched for its use and put back.
// RUN: pebble-opt %s --pebble-schedule="budget-percent=100 means=none objective=energy" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-opt %t.mlir --pebble-verify-schedule -o /dev/null
// What it computes is what it computes in memory alone, and the meter reads what
// was predicted.
// RUN: pebble-run %t.mlir --poison --json=%t.json
// RUN: FileCheck %s --check-prefix=METER < %t.json
// RUN: grep sha256 %t.json > %t.hash
// RUN: sed 's/, pebble.tier = "slow"//; s/ {pebble.tier = "slow"}//g' %s > %t.plain.mlir
// RUN: pebble-run %t.plain.mlir --poison --json=%t.plain.json
// RUN: grep sha256 %t.plain.json > %t.plain.hash
// RUN: diff %t.hash %t.plain.hash
// Less fast memory than the step takes with all of it there, by moving more.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=16384 means=offload objective=energy" -o %t.less.mlir
// RUN: pebble-run %t.less.mlir --poison --json=%t.less.json
// RUN: grep sha256 %t.less.json > %t.less.hash
// RUN: diff %t.hash %t.less.hash

// CHECK: func.func @main(%{{.*}}: tensor<1024xf32> {{{.*}}}, %[[M:.*]]: tensor<1024xf32, #pebble.at<"slow">> {{{.*}}}, %[[V:.*]]: tensor<1024xf32, #pebble.at<"slow">>
// CHECK-SAME: -> (tensor<1024xf32>, tensor<1024xf32, #pebble.at<"slow">>, tensor<1024xf32, #pebble.at<"slow">>)
// CHECK: pebble.load %[[M]]
// CHECK: linalg.add
// CHECK: pebble.load %[[V]]
// CHECK-DAG: pebble.store %{{.*}} into %[[M]]
// CHECK-DAG: pebble.store %{{.*}} into %[[V]]
// CHECK: return
// METER-DAG: "slow": 8192
// METER: "moved_bytes": {
// METER-NEXT: "fast->slow": 8192,
// METER-NEXT: "slow->fast": 8192
// METER: "predicted_peak_bytes": {
// METER-NEXT: "fast": 20480,
// METER-NEXT: "slow": 8192
module attributes {pebble.hierarchy = #pebble.hierarchy<[
  <"fast", kind = explicit, read = 1, write = 1, bandwidth = 1000, latency = 10>,
  <"slow", kind = explicit, read = 100, write = 100, bandwidth = 100, latency = 100>]>} {
  func.func @main(%w: tensor<1024xf32> {pebble.donated}, %m: tensor<1024xf32> {pebble.donated, pebble.tier = "slow", pebble.name = "m"},
                  %v: tensor<1024xf32> {pebble.donated, pebble.tier = "slow", pebble.name = "v"}, %g: tensor<1024xf32>)
      -> (tensor<1024xf32>, tensor<1024xf32> {pebble.tier = "slow"}, tensor<1024xf32> {pebble.tier = "slow"}) {
    %e = tensor.empty() : tensor<1024xf32>
    %m1 = linalg.add ins(%m, %g : tensor<1024xf32>, tensor<1024xf32>) outs(%m : tensor<1024xf32>) -> tensor<1024xf32>
    %g2 = linalg.square ins(%g : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %v1 = linalg.add ins(%v, %g2 : tensor<1024xf32>, tensor<1024xf32>) outs(%v : tensor<1024xf32>) -> tensor<1024xf32>
    %s = linalg.div ins(%m1, %v1 : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %w1 = linalg.sub ins(%w, %s : tensor<1024xf32>, tensor<1024xf32>) outs(%w : tensor<1024xf32>) -> tensor<1024xf32>
    return %w1, %m1, %v1 : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
  }
}
