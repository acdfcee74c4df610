// Nobody waits for the gradients of weights: with `split-weights` they are tasks
// of their own, which fill the time in which a rank would wait. The results are
// the same to the bit.
// RUN: rm -rf %t && split-file %s %t
// RUN: pebble-opt %t/step.mlir --target=%t/one.txt --pebble-pipeline-stages="micro-batches=6 objective=time" -o %t/whole.mlir
// RUN: FileCheck %s --check-prefix=WHOLE < %t/whole.mlir
// WHOLE: bound = 196608 : i64, cost = 196608
// RUN: pebble-opt %t/step.mlir --target=%t/one.txt --pebble-pipeline-stages="micro-batches=6 objective=time split-weights rank-files=%t/of.%%r.mlir" -o %t/split.mlir
// RUN: FileCheck %s --check-prefix=SPLIT < %t/split.mlir
// SPLIT: func.func private @layer_back.first
// SPLIT-COUNT-2: arith.mulf
// SPLIT-NOT: arith.mulf
// SPLIT: func.func private @layer_back.weights
// SPLIT: arith.mulf
// SPLIT-NOT: func.func private
// SPLIT: func.func @step(
// SPLIT-SAME: bound = 190464 : i64, cost = 190464
// SPLIT-SAME: status = "optimal"
// The two last stages have such tasks, the first has none.
// RUN: grep -c 'call @layer_back.weights' %t/split.mlir | FileCheck %s --check-prefix=COUNT
// RUN: grep -c 'call @layer_back.weights' %t/of.1.mlir | FileCheck %s --check-prefix=HALF
// RUN: not grep 'call @layer_back.weights' %t/of.0.mlir
// COUNT: 12
// HALF: 6
// RUN: pebble-run %t/whole.mlir --entry=step --output-dir=%t/out.whole 2>&1 | FileCheck %s --check-prefix=MET
// RUN: pebble-run %t/split.mlir --entry=step --output-dir=%t/out.split 2>&1 | FileCheck %s --check-prefix=MET
// MET: peak in ram {{.*}} as predicted
// RUN: cmp %t/out.whole/result0.npy %t/out.split/result0.npy
// RUN: cmp %t/out.whole/result1.npy %t/out.split/result1.npy
// RUN: cmp %t/out.whole/result2.npy %t/out.split/result2.npy
// RUN: pebble-opt %t/split.mlir -cse -canonicalize -o %t/simple.mlir
// RUN: pebble-run %t/simple.mlir --entry=step --output-dir=%t/out.simple
// RUN: cmp %t/out.whole/result2.npy %t/out.simple/result2.npy

// Within a budget, too, and no slower than without; beside tapes that run again and
// tapes that move away.
// RUN: pebble-opt %t/step.mlir --target=%t/two.txt --pebble-pipeline-stages="micro-batches=6 objective=time budget=72KiB means=both split-weights" -o %t/tight.mlir
// RUN: pebble-run %t/tight.mlir --entry=step --output-dir=%t/out.tight 2>&1 | FileCheck %s --check-prefix=MET
// RUN: cmp %t/out.whole/result2.npy %t/out.tight/result2.npy

// What runs after it, and is read by nobody else, comes later as well.
// RUN: sed 's/return %du, %dv, %dw/%e = arith.negf %dw : tensor<1024xf32>\n  return %du, %dv, %e/' %t/step.mlir > %t/after.mlir
// RUN: pebble-opt %t/after.mlir --target=%t/one.txt --pebble-pipeline-stages="micro-batches=2 objective=time split-weights" | FileCheck %s --check-prefix=AFTER
// AFTER: call @layer_back.first
// AFTER-NOT: arith.negf
// AFTER: call @layer_back.weights
// AFTER: arith.negf

// One stage has nobody behind it that waits.
// RUN: not pebble-opt %t/single.mlir --pebble-pipeline-stages="micro-batches=2 split-weights" 2>&1 | FileCheck %s --check-prefix=SINGLE
// SINGLE: single.mlir:11:1: error: no stage has gradients of weights that could be a task of their own
// SINGLE: single.mlir:14:9: note: the backward function of stage 0: nobody waits for any of its results
// A stage without weights has nothing to split.
// RUN: not pebble-opt %t/plain.mlir --pebble-pipeline-stages="micro-batches=2 split-weights" 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: note: the backward function of stage 1: others wait for all of its results
// Effects keep their order.
// RUN: sed 's/%dw = arith.mulf %dz, %x : tensor<1024xf32>/%m = memref.alloc() : memref<4xf32>\n  memref.dealloc %m : memref<4xf32>\n  %dw = arith.mulf %dz, %x : tensor<1024xf32>/' %t/step.mlir > %t/effects.mlir
// RUN: not pebble-opt %t/effects.mlir --pebble-pipeline-stages="micro-batches=2 split-weights" 2>&1 | FileCheck %s --check-prefix=EFFECTS
// EFFECTS: note: the backward function of stage 1: 'memref.dealloc' in it has effects, whose order a split would change

//--- one.txt
#pebble.hierarchy<[<"ram", kind = explicit, bandwidth = 20000>], speed = 1000000000>
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
//--- single.mlir
func.func private @half(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {pebble.adjoint = {backward = @half_back, results = 1 : i64}} {
  %y = math.sin %x : tensor<8xf32>
  %c = math.cos %x : tensor<8xf32>
  return %y, %c : tensor<8xf32>, tensor<8xf32>
}
func.func private @half_back(%c: tensor<8xf32>, %dy: tensor<8xf32>) -> tensor<8xf32> {
  %dx = arith.mulf %c, %dy : tensor<8xf32>
  return %dx : tensor<8xf32>
}
func.func @step(%x: tensor<8xf32> {pebble.micro_batch}) -> tensor<8xf32> {
  %y, %c = call @half(%x) {pebble.stage = 0 : i64} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %dx = call @half_back(%c, %one) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %dx : tensor<8xf32>
}
//--- plain.mlir
func.func private @half(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {pebble.adjoint = {backward = @half_back, results = 1 : i64}} {
  %y = math.sin %x : tensor<8xf32>
  %c = math.cos %x : tensor<8xf32>
  return %y, %c : tensor<8xf32>, tensor<8xf32>
}
func.func private @half_back(%c: tensor<8xf32>, %dy: tensor<8xf32>) -> tensor<8xf32> {
  %dx = arith.mulf %c, %dy : tensor<8xf32>
  return %dx : tensor<8xf32>
}
func.func @step(%x: tensor<8xf32> {pebble.micro_batch}) -> tensor<8xf32> {
  %y, %c = call @half(%x) {pebble.stage = 0 : i64} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %z, %d = call @half(%y) {pebble.stage = 1 : i64} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %dy = call @half_back(%d, %one) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %dx = call @half_back(%c, %dy) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %dx : tensor<8xf32>
}
