// RUN: split-file %s %t
// RUN: pebble-opt %t/driver.mlir --pebble-check-runs=original=%t/before.mlir -o /dev/null
// RUN: pebble-opt %t/before.mlir --pebble-raise-loops --pebble-checkpoint-loops=slots=2 --pebble-loops-to-stablehlo --pebble-check-runs=original=%t/before.mlir -o %t/made.mlir
// RUN: not grep -q 4x4xf32 %t/made.mlir

// A state restored from the place of another one.
// RUN: sed 's/slot = .*dense<1>/slot = "stablehlo.constant"() <{value = dense<0>/' %t/driver.mlir > %t/place.mlir
// RUN: not pebble-opt %t/place.mlir --pebble-check-runs=original=%t/before.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// A step left out on the way forward.
// RUN: sed '/while.*%x/s/c0/c1/' %t/driver.mlir > %t/step.mlir
// RUN: not pebble-opt %t/step.mlir --pebble-check-runs=original=%t/before.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// One step too many on the way to each state.
// RUN: sed '/subtract/s/c3/c4/' %t/driver.mlir > %t/back.mlir
// RUN: not pebble-opt %t/back.mlir --pebble-check-runs=original=%t/before.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: is not proven to return what the function that it was made of does: result #{{[01]}} is another expression of its arguments

// What runs for too long is told.
// RUN: pebble-opt %t/driver.mlir --pebble-check-runs="original=%t/before.mlir most=20" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: remark: runs more than 20 operations: it is not compared

// RUN: not pebble-opt %t/driver.mlir --pebble-check-runs -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'original' must name the file of the program before
// RUN: not pebble-opt %t/driver.mlir --pebble-check-runs=original=%t/nowhere.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNREAD
// UNREAD: error: cannot read the program before from {{.*}}nowhere.mlir
// RUN: sed 's/@main/@other/' %t/driver.mlir > %t/other.mlir
// RUN: not pebble-opt %t/other.mlir --pebble-check-runs=original=%t/before.mlir 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: error: there is no @main any more

//--- before.mlir
func.func @main(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
  %c3 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
  %c4 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
  %t0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
  %f:3 = "stablehlo.while"(%c0, %x, %t0) ({
  ^bb0(%i: tensor<i64>, %s: tensor<4xf32>, %t: tensor<4x4xf32>):
    %more = "stablehlo.compare"(%i, %c4) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i64>, %s: tensor<4xf32>, %t: tensor<4x4xf32>):
    %p = "stablehlo.reshape"(%s) : (tensor<4xf32>) -> tensor<1x4xf32>
    %u = "stablehlo.dynamic_update_slice"(%t, %p, %i, %c0) : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
    %next = "stablehlo.sine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%j, %next, %u) : (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>) -> ()
  }) : (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>)
  %g:3 = "stablehlo.while"(%c0, %dy, %f#2) ({
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>, %t: tensor<4x4xf32>):
    %more = "stablehlo.compare"(%i, %c4) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>, %t: tensor<4x4xf32>):
    %k = "stablehlo.subtract"(%c3, %i) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %p = "stablehlo.dynamic_slice"(%t, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
    %s = "stablehlo.reshape"(%p) : (tensor<1x4xf32>) -> tensor<4xf32>
    %cos = "stablehlo.cosine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %b = "stablehlo.multiply"(%a, %cos) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%j, %b, %t) : (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>) -> ()
  }) : (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<i64>, tensor<4xf32>, tensor<4x4xf32>)
  return %f#1, %g#1 : tensor<4xf32>, tensor<4xf32>
}

//--- driver.mlir
// Keeps the first and the third state, and steps from there.
func.func @main(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
  %c2 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
  %c3 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
  %c4 = "stablehlo.constant"() <{value = dense<4> : tensor<i64>}> : () -> tensor<i64>
  // Which slot the steps from the third on begin with.
  %slot = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
  %t0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
  %f:3 = "stablehlo.while"(%c0, %x, %t0) ({
  ^bb0(%i: tensor<i64>, %s: tensor<4xf32>, %t: tensor<2x4xf32>):
    %more = "stablehlo.compare"(%i, %c4) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i64>, %s: tensor<4xf32>, %t: tensor<2x4xf32>):
    %half = "stablehlo.divide"(%i, %c2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %first = "stablehlo.multiply"(%half, %c2) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %keeps = "stablehlo.compare"(%first, %i) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %p = "stablehlo.reshape"(%s) : (tensor<4xf32>) -> tensor<1x4xf32>
    %u = "stablehlo.dynamic_update_slice"(%t, %p, %half, %c0) : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x4xf32>
    %v = "stablehlo.select"(%keeps, %u, %t) : (tensor<i1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %next = "stablehlo.sine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%j, %next, %v) : (tensor<i64>, tensor<4xf32>, tensor<2x4xf32>) -> ()
  }) : (tensor<i64>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<i64>, tensor<4xf32>, tensor<2x4xf32>)
  %g:3 = "stablehlo.while"(%c0, %dy, %f#2) ({
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>, %t: tensor<2x4xf32>):
    %more = "stablehlo.compare"(%i, %c4) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i64>, %a: tensor<4xf32>, %t: tensor<2x4xf32>):
    %k = "stablehlo.subtract"(%c3, %i) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %late = "stablehlo.compare"(%k, %c2) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %from = "stablehlo.select"(%late, %slot, %c0) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %first = "stablehlo.select"(%late, %c2, %c0) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
    %p = "stablehlo.dynamic_slice"(%t, %from, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
    %s = "stablehlo.reshape"(%p) : (tensor<1x4xf32>) -> tensor<4xf32>
    %steps:2 = "stablehlo.while"(%first, %s) ({
    ^bb0(%at: tensor<i64>, %now: tensor<4xf32>):
      %goes = "stablehlo.compare"(%at, %k) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> tensor<i1>
      "stablehlo.return"(%goes) : (tensor<i1>) -> ()
    }, {
    ^bb0(%at: tensor<i64>, %now: tensor<4xf32>):
      %then = "stablehlo.sine"(%now) : (tensor<4xf32>) -> tensor<4xf32>
      %on = "stablehlo.add"(%at, %c1) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%on, %then) : (tensor<i64>, tensor<4xf32>) -> ()
    }) : (tensor<i64>, tensor<4xf32>) -> (tensor<i64>, tensor<4xf32>)
    %cos = "stablehlo.cosine"(%steps#1) : (tensor<4xf32>) -> tensor<4xf32>
    %b = "stablehlo.multiply"(%a, %cos) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%j, %b, %t) : (tensor<i64>, tensor<4xf32>, tensor<2x4xf32>) -> ()
  }) : (tensor<i64>, tensor<4xf32>, tensor<2x4xf32>) -> (tensor<i64>, tensor<4xf32>, tensor<2x4xf32>)
  return %f#1, %g#1 : tensor<4xf32>, tensor<4xf32>
}
