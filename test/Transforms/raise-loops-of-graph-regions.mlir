// RUN: pebble-opt %s --allow-unregistered-dialect --pebble-raise-loops | FileCheck %s

// Where order means nothing a value may be made of itself: it is no sum of
// others, and the search for one ends.
// CHECK: scf.for
// CHECK: scf.for
"some.graph"() ({
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.addi %m, %c1 : index
  %m = arith.addi %n, %c1 : index
  %x = arith.constant 1.0 : f32
  %t0 = tensor.empty() : tensor<100xf32>
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0) -> (f32, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %next = math.sin %s : f32
    scf.yield %next, %u : f32, tensor<100xf32>
  }
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y#0) -> f32 {
    %k = arith.subi %m, %i : index
    %s = tensor.extract %y#1[%k] : tensor<100xf32>
    %next = arith.mulf %a, %s : f32
    scf.yield %next : f32
  }
  "some.end"(%dx) : (f32) -> ()
}) : () -> ()
