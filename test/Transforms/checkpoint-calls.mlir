// RUN: pebble-opt %s --pebble-checkpoint-calls=mode=joint --remarks-filter=pebble-checkpoint-calls 2>&1 | FileCheck %s --check-prefixes=JOINT
// RUN: pebble-opt %s --pebble-checkpoint-calls=mode=split | FileCheck %s --check-prefixes=SPLIT
// RUN: pebble-opt %s --pebble-checkpoint-calls=budget=100%% | FileCheck %s --check-prefixes=SAME
// RUN: not pebble-opt %s --pebble-checkpoint-calls=budget=1000 2>&1 | FileCheck %s --check-prefixes=LESS
// RUN: not pebble-opt %s --pebble-checkpoint-calls 2>&1 | FileCheck %s --check-prefixes=NONE

// The outer function calls an inner one. The inner tape is part of the outer
// one; a constant and an argument are no part of what is kept.

// JOINT: calls of '@main': outer joint
// JOINT-SAME: joint=2
// JOINT-SAME: split=0
// JOINT-LABEL: func.func private @inner.plain(
// JOINT-NOT: math.cos
// JOINT: return
// JOINT-LABEL: func.func private @inner.adjoint(
// JOINT: math.cos
// JOINT: arith.mulf
// JOINT-LABEL: func.func private @outer.plain(
// JOINT: call @inner.plain
// JOINT: return %{{.*}} : tensor<64xf32>
// The inner function runs again from the outer one's own value.
// JOINT-LABEL: func.func private @outer.adjoint(
// JOINT: %[[GIVEN:.*]] = math.exp
// JOINT-NOT: @inner.plain
// JOINT: call @inner.adjoint(%[[GIVEN]], %{{.*}})
// JOINT-LABEL: func.func @main(
// JOINT-SAME: solver = "given"
// JOINT: call @outer.plain(%arg0)
// JOINT: call @outer.adjoint(%arg0, %arg1) {pebble.call_mode = "joint"}
// JOINT-NOT: @outer_back

// The tape of the inner function, and the outer one's own value.
// SPLIT-LABEL: func.func private @inner.{{[0-9]}}(
// SPLIT-LABEL: func.func private @outer.{{[0-9]}}(
// SPLIT-SAME: -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
// SPLIT-LABEL: func.func private @outer_back.{{[0-9]}}(%arg0: tensor<64xf32> {pebble.donated}, %arg1: tensor<64xf32> {pebble.donated}, %arg2: tensor<64xf32>)
// SPLIT-LABEL: func.func @main(

// Within its budget it stays.
// SAME-NOT: pebble.result
// SAME: call @outer_back

// LESS: checkpoint-calls.mlir:[[@LINE+27]]:1: error: no choice of calls that keep their tape keeps to the budget of 1000 bytes: the smallest known to do is {{[0-9]+}} bytes; pebble-schedule may do with less
// NONE: error: no budget: give budget, or a memory hierarchy whose compute tier has a capacity

func.func private @inner(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
    attributes {pebble.adjoint = {backward = @inner_back, results = 1 : i64}} {
  %y = math.sin %x : tensor<64xf32>
  %c = math.cos %x : tensor<64xf32>
  return %y, %c : tensor<64xf32>, tensor<64xf32>
}
func.func private @inner_back(%c: tensor<64xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  %g = arith.mulf %c, %d : tensor<64xf32>
  return %g : tensor<64xf32>
}
func.func private @outer(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
    attributes {pebble.adjoint = {backward = @outer_back, results = 1 : i64}} {
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %e = math.exp %x : tensor<64xf32>
  %y, %c = call @inner(%e) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  return %y, %c, %e, %two : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
func.func private @outer_back(%c: tensor<64xf32>, %e: tensor<64xf32>, %two: tensor<64xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  %h = arith.mulf %d, %two : tensor<64xf32>
  %g = call @inner_back(%c, %h) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %r = arith.mulf %g, %e : tensor<64xf32>
  return %r : tensor<64xf32>
}

func.func @main(%x: tensor<64xf32>, %d: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %y, %t:3 = call @outer(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
  %g = call @outer_back(%t#0, %t#1, %t#2, %d) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %y, %g : tensor<64xf32>, tensor<64xf32>
}
