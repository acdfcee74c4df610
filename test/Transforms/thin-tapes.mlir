// RUN: split-file %s %t
// RUN: pebble-opt %t/sines.mlir --pebble-thin-tapes=budget=min -o %t/least.mlir
// RUN: FileCheck %s --check-prefix=LEAST < %t/least.mlir
// RUN: pebble-opt %t/least.mlir --pebble-check-runs=original=%t/sines.mlir -o /dev/null
// It outlives what upstream tidies up, and it is the least.
// RUN: pebble-opt %t/least.mlir -cse -canonicalize --pebble-check-runs=original=%t/sines.mlir | FileCheck %s --check-prefix=LEAST
// RUN: pebble-opt %t/least.mlir --pebble-thin-tapes=budget=min | diff - %t/least.mlir

// Of 512 bytes of tapes, what fits is kept, and any value may be.
// RUN: pebble-opt %t/sines.mlir --pebble-thin-tapes=budget-percent=100 | FileCheck %s --check-prefix=ALL
// RUN: pebble-opt %t/sines.mlir --pebble-thin-tapes=budget-percent=75 --remarks-filter=pebble-thin-tapes -o %t/some.mlir 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: pebble-opt %t/some.mlir --pebble-check-runs=original=%t/sines.mlir -o /dev/null
// RUN: pebble-opt %t/sines.mlir --pebble-thin-tapes=budget-bytes=256 --remarks-filter=pebble-thin-tapes -o %t/half.mlir 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: FileCheck %s --check-prefix=HALFOUT < %t/half.mlir
// RUN: pebble-opt %t/half.mlir --pebble-check-runs=original=%t/sines.mlir -o /dev/null

// One value is kept from which the others are made, and the part of what is
// scanned is read again.
// LEAST-LABEL: func.func @main
// LEAST: %[[F:.*]]:3 = "stablehlo.while"
// LEAST: ^bb0(%[[I:.*]]: tensor<i32>, %[[S:.*]]: tensor<4xf32>, %[[T:.*]]: tensor<8x4xf32>):
// LEAST: %[[E:.*]] = "stablehlo.exponential"
// LEAST: %[[SUM:.*]] = "stablehlo.add"(%[[E]],
// LEAST: %[[P:.*]] = "stablehlo.reshape"(%[[SUM]])
// LEAST: "stablehlo.dynamic_update_slice"(%{{.*}}, %[[P]], %{{.*}})
// LEAST-NOT: dynamic_update_slice
// LEAST: "stablehlo.while"
// LEAST: ^bb0(%{{.*}}: tensor<i32>, %[[A:.*]]: tensor<4xf32>):
// LEAST: %[[R:.*]] = "stablehlo.dynamic_slice"(%[[F]]#2
// LEAST: %[[V:.*]] = "stablehlo.reshape"(%[[R]])
// LEAST: %[[X:.*]] = "stablehlo.dynamic_slice"(%arg2
// LEAST: %[[B:.*]]:3 = "stablehlo.optimization_barrier"(%[[V]], %[[X]], %[[A]])
// LEAST-NOT: exponential
// LEAST: "stablehlo.sine"(%[[B]]#0)
// LEAST: "stablehlo.cosine"(%[[B]]#0)
// ALL-NOT: optimization_barrier
// ALL: tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
// What is scanned is there anyway. A sine costs ten operations for an element.
// SOME: remark: {{.*}}"tapes keep other values", bound=0, cost=0, kept_bytes=384, least_bytes=128, tape_bytes=512
// HALF: bound=320, cost=320, kept_bytes=256, least_bytes=128, tape_bytes=512
// HALFOUT: optimization_barrier

// Loops may count from anywhere, up or down, in any integers.
// RUN: pebble-opt %t/counts.mlir --pebble-thin-tapes=budget=min -o %t/counted.mlir
// RUN: pebble-opt %t/counted.mlir --pebble-check-runs=original=%t/counts.mlir -o /dev/null
// RUN: pebble-opt %t/counts.mlir --pebble-thin-tapes=budget=300 --remarks-filter=pebble-thin-tapes -o %t/counted.mlir 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: pebble-opt %t/counted.mlir --pebble-check-runs=original=%t/counts.mlir -o /dev/null

// A wrong choice is told from a right one: a step off, and another operation.
// RUN: sed 's/dense<7>/dense<6>/' %t/least.mlir > %t/step.mlir
// RUN: not pebble-opt %t/step.mlir --pebble-check-runs=original=%t/sines.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: sed 's/stablehlo.cosine"/stablehlo.negate"/' %t/least.mlir > %t/value.mlir
// RUN: not diff -q %t/least.mlir %t/value.mlir
// RUN: not pebble-opt %t/value.mlir --pebble-check-runs=original=%t/sines.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: is not proven to return what the function that it was made of does

// RUN: not pebble-opt %t/sines.mlir --pebble-thin-tapes=budget-bytes=127 -o /dev/null 2>&1 | FileCheck %s --check-prefix=LESS
// LESS: error: no choice of what tapes keep fits in the budget of 127 bytes; the smallest feasible budget is 128 bytes (proven)
// RUN: not pebble-opt %t/sines.mlir --pebble-thin-tapes -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: no budget: say in budget what tapes may take
// RUN: not pebble-opt %t/sines.mlir --pebble-thin-tapes="budget=0" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: 'budget' must be above 0, got 0

// What may not run again is kept, and told apart from what may.
// RUN: pebble-opt %t/draws.mlir --pebble-thin-tapes=budget=min --remarks-filter=pebble-thin-tapes -o %t/drawn.mlir 2>&1 | FileCheck %s --check-prefix=DRAWN
// RUN: pebble-opt %t/drawn.mlir --pebble-check-runs=original=%t/draws.mlir -o /dev/null
// RUN: FileCheck %s --check-prefix=ONCE < %t/drawn.mlir
// DRAWN: kept_bytes=128, least_bytes=128, tape_bytes=256
// ONCE-COUNT-1: "stablehlo.rng"
// ONCE-NOT: "stablehlo.rng"

// Loops that are no such pair stay as they are.
// RUN: sed 's/"stablehlo.subtract"(%c7, %i)/"stablehlo.add"(%c0, %i)/' %t/sines.mlir > %t/forth.mlir
// RUN: pebble-opt %t/forth.mlir -o %t/forth.same
// RUN: pebble-opt %t/forth.mlir --pebble-thin-tapes=budget=min --remarks-filter=pebble-thin-tapes -o %t/forth.out 2> %t/forth.err
// RUN: diff %t/forth.same %t/forth.out
// RUN: FileCheck %s --check-prefix=FORTH < %t/forth.err
// FORTH: remark: [Missed] tapes {{.*}}"its tapes stay as they are: nothing goes over a tensor from one to the other that is written and read slice by slice, and that nobody else reads"
// RUN: pebble-opt %t/alone.mlir --pebble-thin-tapes=budget=min --remarks-filter=pebble-thin-tapes -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: remark: [Missed] nothing {{.*}}"nothing to do: there are no two loops in the block of a function of which the second one reads a tape that the first one writes"

//--- sines.mlir
// Four values of each step are on tapes: the part of x that it reads, and three
// that it makes of that and of its state.
func.func @main(%x: tensor<4xf32>, %dy: tensor<4xf32>, %xs: tensor<8x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %c7 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
  %c8 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
  %t0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<8x4xf32>}> : () -> tensor<8x4xf32>
  %f:6 = "stablehlo.while"(%c0, %x, %t0, %t0, %t0, %t0) ({
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<8x4xf32>, %u: tensor<8x4xf32>, %v: tensor<8x4xf32>, %w: tensor<8x4xf32>):
    %more = "stablehlo.compare"(%i, %c8) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<8x4xf32>, %u: tensor<8x4xf32>, %v: tensor<8x4xf32>, %w: tensor<8x4xf32>):
    %p = "stablehlo.dynamic_slice"(%xs, %i, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %part = "stablehlo.reshape"(%p) : (tensor<1x4xf32>) -> tensor<4xf32>
    %e = "stablehlo.exponential"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %sum = "stablehlo.add"(%e, %part) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %y = "stablehlo.sine"(%sum) : (tensor<4xf32>) -> tensor<4xf32>
    %d = "stablehlo.cosine"(%sum) : (tensor<4xf32>) -> tensor<4xf32>
    %ps = "stablehlo.reshape"(%sum) : (tensor<4xf32>) -> tensor<1x4xf32>
    %py = "stablehlo.reshape"(%y) : (tensor<4xf32>) -> tensor<1x4xf32>
    %pd = "stablehlo.reshape"(%d) : (tensor<4xf32>) -> tensor<1x4xf32>
    %t1 = "stablehlo.dynamic_update_slice"(%t, %p, %i, %c0) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %u1 = "stablehlo.dynamic_update_slice"(%u, %ps, %i, %c0) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %v1 = "stablehlo.dynamic_update_slice"(%v, %py, %i, %c0) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %w1 = "stablehlo.dynamic_update_slice"(%w, %pd, %i, %c0) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %y, %t1, %u1, %v1, %w1) : (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  %b:6 = "stablehlo.while"(%c0, %dy, %f#2, %f#3, %f#4, %f#5) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>, %t: tensor<8x4xf32>, %u: tensor<8x4xf32>, %v: tensor<8x4xf32>, %w: tensor<8x4xf32>):
    %more = "stablehlo.compare"(%i, %c8) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>, %t: tensor<8x4xf32>, %u: tensor<8x4xf32>, %v: tensor<8x4xf32>, %w: tensor<8x4xf32>):
    %k = "stablehlo.subtract"(%c7, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %p = "stablehlo.dynamic_slice"(%t, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %q = "stablehlo.dynamic_slice"(%u, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %r = "stablehlo.dynamic_slice"(%v, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %z = "stablehlo.dynamic_slice"(%w, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %pq = "stablehlo.multiply"(%p, %q) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %rz = "stablehlo.multiply"(%r, %z) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %both = "stablehlo.multiply"(%pq, %rz) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %flat = "stablehlo.reshape"(%both) : (tensor<1x4xf32>) -> tensor<4xf32>
    %g = "stablehlo.multiply"(%a, %flat) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %g, %t, %u, %v, %w) : (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  return %f#1, %b#1 : tensor<4xf32>, tensor<4xf32>
}

//--- counts.mlir
// The same, where one loop counts from 20 on, and the other one down from 5.
func.func @main(%x: tensor<4xf32>, %dy: tensor<4xf32>, %xs: tensor<8x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %c7 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
  %c8 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
  %t0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<8x4xf32>}> : () -> tensor<8x4xf32>
  %c20 = "stablehlo.constant"() <{value = dense<20> : tensor<i32>}> : () -> tensor<i32>
  %c28 = "stablehlo.constant"() <{value = dense<28> : tensor<i32>}> : () -> tensor<i32>
  %d5 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> tensor<i64>
  %dm1 = "stablehlo.constant"() <{value = dense<-1> : tensor<i64>}> : () -> tensor<i64>
  %f:6 = "stablehlo.while"(%c20, %x, %t0, %t0, %t0, %t0) ({
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<8x4xf32>, %u: tensor<8x4xf32>, %v: tensor<8x4xf32>, %w: tensor<8x4xf32>):
    %more = "stablehlo.compare"(%i, %c28) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<8x4xf32>, %u: tensor<8x4xf32>, %v: tensor<8x4xf32>, %w: tensor<8x4xf32>):
    %n = "stablehlo.subtract"(%i, %c20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %p = "stablehlo.dynamic_slice"(%xs, %n, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %part = "stablehlo.reshape"(%p) : (tensor<1x4xf32>) -> tensor<4xf32>
    %e = "stablehlo.exponential"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %sum = "stablehlo.add"(%e, %part) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %y = "stablehlo.sine"(%sum) : (tensor<4xf32>) -> tensor<4xf32>
    %d = "stablehlo.cosine"(%sum) : (tensor<4xf32>) -> tensor<4xf32>
    %ps = "stablehlo.reshape"(%sum) : (tensor<4xf32>) -> tensor<1x4xf32>
    %py = "stablehlo.reshape"(%y) : (tensor<4xf32>) -> tensor<1x4xf32>
    %pd = "stablehlo.reshape"(%d) : (tensor<4xf32>) -> tensor<1x4xf32>
    %t1 = "stablehlo.dynamic_update_slice"(%t, %p, %n, %c0) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %u1 = "stablehlo.dynamic_update_slice"(%u, %ps, %n, %c0) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %v1 = "stablehlo.dynamic_update_slice"(%v, %py, %n, %c0) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %w1 = "stablehlo.dynamic_update_slice"(%w, %pd, %n, %c0) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %y, %t1, %u1, %v1, %w1) : (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  %b:7 = "stablehlo.while"(%d5, %c0, %dy, %f#2, %f#3, %f#4, %f#5) ({
  ^bb0(%z0: tensor<i64>, %i: tensor<i32>, %a: tensor<4xf32>, %t: tensor<8x4xf32>, %u: tensor<8x4xf32>, %v: tensor<8x4xf32>, %w: tensor<8x4xf32>):
    %more = "stablehlo.compare"(%i, %c8) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%z0: tensor<i64>, %i: tensor<i32>, %a: tensor<4xf32>, %t: tensor<8x4xf32>, %u: tensor<8x4xf32>, %v: tensor<8x4xf32>, %w: tensor<8x4xf32>):
    %k = "stablehlo.subtract"(%c7, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %p = "stablehlo.dynamic_slice"(%t, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %q = "stablehlo.dynamic_slice"(%u, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %r = "stablehlo.dynamic_slice"(%v, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %z = "stablehlo.dynamic_slice"(%w, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %pq = "stablehlo.multiply"(%p, %q) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %rz = "stablehlo.multiply"(%r, %z) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %both = "stablehlo.multiply"(%pq, %rz) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %flat = "stablehlo.reshape"(%both) : (tensor<1x4xf32>) -> tensor<4xf32>
    %g = "stablehlo.multiply"(%a, %flat) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %z1 = "stablehlo.add"(%z0, %dm1) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "stablehlo.return"(%z1, %j, %g, %t, %u, %v, %w) : (tensor<i64>, tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> ()
  }) : (tensor<i64>, tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<i64>, tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  return %f#1, %b#2 : tensor<4xf32>, tensor<4xf32>
}

//--- draws.mlir
// A random number of each step, and its sine, are on tapes.
func.func @main(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %c7 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
  %c8 = "stablehlo.constant"() <{value = dense<8> : tensor<i32>}> : () -> tensor<i32>
  %low = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %high = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %shape = "stablehlo.constant"() <{value = dense<4> : tensor<1xi64>}> : () -> tensor<1xi64>
  %t0 = "stablehlo.constant"() <{value = dense<0.0> : tensor<8x4xf32>}> : () -> tensor<8x4xf32>
  %f:4 = "stablehlo.while"(%c0, %x, %t0, %t0) ({
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<8x4xf32>, %u: tensor<8x4xf32>):
    %more = "stablehlo.compare"(%i, %c8) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<8x4xf32>, %u: tensor<8x4xf32>):
    %n = "stablehlo.rng"(%low, %high, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    %d = "stablehlo.sine"(%n) : (tensor<4xf32>) -> tensor<4xf32>
    %y = "stablehlo.multiply"(%s, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %pn = "stablehlo.reshape"(%n) : (tensor<4xf32>) -> tensor<1x4xf32>
    %pd = "stablehlo.reshape"(%d) : (tensor<4xf32>) -> tensor<1x4xf32>
    %t1 = "stablehlo.dynamic_update_slice"(%t, %pn, %i, %c0) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %u1 = "stablehlo.dynamic_update_slice"(%u, %pd, %i, %c0) : (tensor<8x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %y, %t1, %u1) : (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
  %b:2 = "stablehlo.while"(%c0, %dy) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %more = "stablehlo.compare"(%i, %c8) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
    %k = "stablehlo.subtract"(%c7, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %p = "stablehlo.dynamic_slice"(%f#2, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %q = "stablehlo.dynamic_slice"(%f#3, %k, %c0) <{slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %pq = "stablehlo.multiply"(%p, %q) : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %flat = "stablehlo.reshape"(%pq) : (tensor<1x4xf32>) -> tensor<4xf32>
    %g = "stablehlo.multiply"(%a, %flat) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %j = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j, %g) : (tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return %f#1, %b#1 : tensor<4xf32>, tensor<4xf32>
}

//--- alone.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "stablehlo.sine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
