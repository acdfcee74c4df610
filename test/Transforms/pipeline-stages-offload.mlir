// Tapes of micro-batches move to the tier below the compute tier, beside the
// tasks, where they have no room: within less memory than with all tapes, and
// with the same results.
// RUN: rm -rf %t && split-file %s %t

// With all tapes in 60 KiB, one micro-batch waits for the other. With tapes that
// run again it takes a third more than the bound, and with tapes that move away
// nothing more.
// RUN: pebble-opt %t/step.mlir --target=%t/two.txt --pebble-pipeline-stages="micro-batches=6 rank=0 means=none objective=time budget=60KiB" | FileCheck %s --check-prefix=NONE
// NONE: cost = 442368
// RUN: pebble-opt %t/step.mlir --target=%t/two.txt --pebble-pipeline-stages="micro-batches=6 rank=0 means=recompute objective=time budget=60KiB" | FileCheck %s --check-prefix=AGAIN
// AGAIN: cost = 258048
// RUN: pebble-opt %t/step.mlir --target=%t/two.txt --pebble-pipeline-stages="micro-batches=6 rank=0 means=offload objective=time budget=60KiB" -o %t/away.mlir
// RUN: FileCheck %s --input-file=%t/away.mlir --check-prefix=AWAY
// AWAY: bound = 196608 : i64, cost = 196608 : i64
// AWAY: pebble.store
// AWAY-SAME: at<"disk">
// AWAY: pebble.wait
// AWAY: pebble.load
// AWAY: pebble.wait
// AWAY: call @layer_back
// RUN: pebble-opt %t/away.mlir -cse -canonicalize --pebble-verify-schedule -o /dev/null
// What may be done besides makes nothing dearer.
// RUN: pebble-opt %t/step.mlir --target=%t/two.txt --pebble-pipeline-stages="micro-batches=6 rank=0 means=both objective=time budget=60KiB" | FileCheck %s --check-prefix=BOTH
// BOTH: cost = 196608

// The program of all ranks gives the same bits, and moves what was predicted.
// RUN: pebble-opt %t/step.mlir --target=%t/two.txt --pebble-pipeline-stages="micro-batches=6 means=none objective=time" -o %t/kept.mlir
// RUN: pebble-opt %t/step.mlir --target=%t/two.txt --pebble-pipeline-stages="micro-batches=6 means=offload objective=time budget=60KiB" -o %t/whole.mlir
// RUN: pebble-run %t/kept.mlir --entry=step --output-dir=%t/kept
// RUN: pebble-run %t/whole.mlir --entry=step --output-dir=%t/whole 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: cmp %t/kept/result0.npy %t/whole/result0.npy
// RUN: cmp %t/kept/result1.npy %t/whole/result1.npy
// RUN: cmp %t/kept/result2.npy %t/whole/result2.npy
// DONE: peak in ram {{.*}} as predicted; {{.*}}as predicted

// More bytes are no slower, nor are more means.
// RUN: %python %S/../Integration/Pipelines/budgets.py %t/step.mlir %t/two.txt 60 66 68 | FileCheck %s --check-prefix=RISING
// RISING: 3 budgets, no slower

// Bad input.
// RUN: not pebble-opt %t/step.mlir --pebble-pipeline-stages="micro-batches=2 means=offload" 2>&1 | FileCheck %s --check-prefix=TIER
// TIER: step.mlir:{{.*}}: error: tapes cannot be offloaded: no tier is slower than the compute tier 'default'
// RUN: sed 's/, bandwidth = 4000//' %t/two.txt > %t/slow.txt
// RUN: not pebble-opt %t/step.mlir --target=%t/slow.txt --pebble-pipeline-stages="micro-batches=2 means=offload objective=time" 2>&1 | FileCheck %s --check-prefix=BANDWIDTH
// BANDWIDTH: error: a time objective needs the bandwidth of the tier that tapes are moved to; tier 'disk' has none
// RUN: sed 's/"disk", kind = explicit/"disk", kind = explicit, capacity = 8KiB/' %t/two.txt > %t/full.txt
// RUN: not pebble-opt %t/step.mlir --target=%t/full.txt --pebble-pipeline-stages="micro-batches=6 rank=0 means=offload objective=time budget=60KiB" 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: tapes that were moved away take {{[0-9]+}} bytes of tier 'disk', which holds 8192

//--- two.txt
#pebble.hierarchy<[<"ram", kind = explicit, bandwidth = 20000>, <"disk", kind = explicit, bandwidth = 4000>], speed = 1000000000>
//--- step.mlir
func.func private @layer(%x: tensor<1024xf32>, %w: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %z = arith.mulf %x, %w : tensor<1024xf32>
  %y = math.sin %z : tensor<1024xf32>
  %c = math.cos %z : tensor<1024xf32>
  return %y, %x, %c : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
}
func.func private @layer_back(%x: tensor<1024xf32>, %c: tensor<1024xf32>, %w: tensor<1024xf32>, %dy: tensor<1024xf32>)
    -> (tensor<1024xf32>, tensor<1024xf32>) {
  %dz = arith.mulf %dy, %c : tensor<1024xf32>
  %dx = arith.mulf %dz, %w : tensor<1024xf32>
  %dw = arith.mulf %dz, %x : tensor<1024xf32>
  return %dx, %dw : tensor<1024xf32>, tensor<1024xf32>
}
func.func @step(%x: tensor<1024xf32> {pebble.micro_batch}, %u: tensor<1024xf32>, %v: tensor<1024xf32>, %w: tensor<1024xf32>)
    -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) {
  %y, %s:2 = call @layer(%x, %u) {pebble.stage = 0 : i64} : (tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
  %z, %t:2 = call @layer(%y, %v) {pebble.stage = 1 : i64} : (tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
  %o, %q:2 = call @layer(%z, %w) {pebble.stage = 2 : i64} : (tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
  %one = arith.constant dense<1.0> : tensor<1024xf32>
  %do = arith.subf %o, %one : tensor<1024xf32>
  %dz, %dw = call @layer_back(%q#0, %q#1, %w, %do) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>)
  %dy, %dv = call @layer_back(%t#0, %t#1, %v, %dz) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>)
  %dx, %du = call @layer_back(%s#0, %s#1, %u, %dy) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>)
  return %du, %dv, %dw : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
}
