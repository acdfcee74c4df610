// Loops and branches of tosa are lowered like its other operations.
// RUN: pebble-run %s --entry=loop --output-dir=%t
// RUN: %python %S/../Runtime/Inputs/npy.py show %t/result0.npy | FileCheck %s --check-prefix=LOOP
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 | pebble-run - --entry=loop --output-dir=%t
// RUN: %python %S/../Runtime/Inputs/npy.py show %t/result0.npy | FileCheck %s --check-prefix=LOOP
// RUN: pebble-run %s --entry=branch --output-dir=%t
// RUN: %python %S/../Runtime/Inputs/npy.py show %t/result0.npy | FileCheck %s --check-prefix=BRANCH

// LOOP: i4 (4,) [16, 16, 16, 16]
// BRANCH: i4 (4,) [2, 2, 2, 2]

func.func @loop() -> tensor<4xi32> {
  %from = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %ones = "tosa.const"() <{values = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>
  %r:2 = tosa.while_loop (%i = %from, %a = %ones) : (tensor<i32>, tensor<4xi32>) -> (tensor<i32>, tensor<4xi32>) {
    %end = "tosa.const"() <{values = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %more = tosa.greater %end, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %more : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>, %a: tensor<4xi32>):
    %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %next = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %twice = tosa.add %a, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    tosa.yield %next, %twice : tensor<i32>, tensor<4xi32>
  }
  return %r#1 : tensor<4xi32>
}

func.func @branch() -> tensor<4xi32> {
  %yes = "tosa.const"() <{values = dense<true> : tensor<i1>}> : () -> tensor<i1>
  %ones = "tosa.const"() <{values = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>
  %r = tosa.cond_if %yes : tensor<i1> -> tensor<4xi32> {
    %twice = tosa.add %ones, %ones : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    tosa.yield %twice : tensor<4xi32>
  } else {
    tosa.yield %ones : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}
