// A step may move data in a function that it calls, in a loop or in a branch:
// energy that only the program shows, and the game of orders does not. Such a
// function is ordered like any other, and nothing is said to be proven of it.

// RUN: pebble-opt %s --pebble-order-operations=objective=energy | FileCheck %s

// CHECK-LABEL: func.func @calls
// CHECK-SAME: cost = 835584 : i64
// CHECK-SAME: status = "feasible"
// CHECK-LABEL: func.func @repeats
// CHECK-SAME: status = "feasible"
// CHECK-LABEL: func.func @may
// CHECK-SAME: status = "feasible"
// CHECK-LABEL: func.func @itself
// CHECK-SAME: status = "feasible"
// What moves nothing is proven as before.
// CHECK-LABEL: func.func @nothing_moves
// CHECK-SAME: status = "optimal"
module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"fast", kind = explicit, read = 1, write = 1>, <"slow", kind = explicit, read = 100, write = 100>]>} {
  func.func private @goes_away(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %away0, %t1 = pebble.store %x : tensor<1024xf32> -> tensor<1024xf32, #pebble.at<"slow">>
    %away = pebble.wait %t1 for %away0 : tensor<1024xf32, #pebble.at<"slow">>
    %here0, %t2 = pebble.load %away : tensor<1024xf32, #pebble.at<"slow">> -> tensor<1024xf32>
    %here = pebble.wait %t2 for %here0 : tensor<1024xf32>
    return %here : tensor<1024xf32>
  }
  func.func private @stays(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %y = math.exp %x : tensor<1024xf32>
    return %y : tensor<1024xf32>
  }
  func.func @calls(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %r = call @goes_away(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
    return %r : tensor<1024xf32>
  }
  func.func @repeats(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<1024xf32> {
      %b = func.call @goes_away(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
      scf.yield %b : tensor<1024xf32>
    }
    return %r : tensor<1024xf32>
  }
  func.func @may(%x: tensor<1024xf32>, %p: i1) -> tensor<1024xf32> {
    %r = scf.if %p -> tensor<1024xf32> {
      %b = func.call @goes_away(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
      scf.yield %b : tensor<1024xf32>
    } else {
      scf.yield %x : tensor<1024xf32>
    }
    return %r : tensor<1024xf32>
  }
  func.func @itself(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %y = math.exp %x : tensor<1024xf32>
    %away0, %t3 = pebble.store %y : tensor<1024xf32> -> tensor<1024xf32, #pebble.at<"slow">>
    %away = pebble.wait %t3 for %away0 : tensor<1024xf32, #pebble.at<"slow">>
    %z = math.absf %x : tensor<1024xf32>
    %here0, %t4 = pebble.load %away : tensor<1024xf32, #pebble.at<"slow">> -> tensor<1024xf32>
    %here = pebble.wait %t4 for %here0 : tensor<1024xf32>
    %r = arith.addf %here, %z : tensor<1024xf32>
    return %r : tensor<1024xf32>
  }
  func.func @nothing_moves(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %r = call @stays(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
    return %r : tensor<1024xf32>
  }
}
