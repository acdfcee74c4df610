// RUN: pebble-opt %s --pebble-snapshot-loops=every=10 -split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-snapshot-loops=every=10 -split-input-file --remarks-filter=pebble-snapshot-loops 2>&1 | FileCheck %s --check-prefix=SAYS

// What is carried, and what is written in place, is resumed in front of a loop and put into its snapshots. A loop that
// others follow takes one at its end; the last does not.

// SAYS: loop 0 takes a snapshot of 2 values and 0 buffers every 10 iterations, and at its end
// SAYS: loop 1 takes a snapshot of 0 values and 2 buffers every 10 iterations
// SAYS-NOT: end

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[S:.*]]: f16, %[[M:.*]]: memref<8xf32>
func.func @main(%x: tensor<8xf32>, %s: f16, %m: memref<8xf32>, %n: index) -> (tensor<8xf32>, f16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  // CHECK: %[[X0:.*]] = pebble.resume loop 0 value 0 of %[[X]] : tensor<8xf32>
  // CHECK: %[[S0:.*]] = pebble.resume_number loop 0 value 1 of %[[S]] : f16
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[X0]], %{{.*}} = %[[S0]])
  // CHECK: %[[B:.*]] = math.sin
  // CHECK: %[[T:.*]] = arith.addf
  // CHECK: pebble.snapshot loop 0 every 10 last of(%[[B]], %[[T]]) : tensor<8xf32>, f16
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %t = %s) -> (tensor<8xf32>, f16) {
    %b = math.sin %a : tensor<8xf32>
    %u = arith.addf %t, %t : f16
    scf.yield %b, %u : tensor<8xf32>, f16
  }
  // CHECK: %[[OWN:.*]] = memref.alloc
  %own = memref.alloc() : memref<8xf32>
  // One that fills an array number by number runs again instead.
  // CHECK-NOT: pebble.snapshot
  // CHECK: memref.store
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %own[%i] : memref<8xf32>
  }
  // CHECK-DAG: pebble.resume loop 1 value {{[01]}} of %[[M]] : memref<8xf32>
  // CHECK-DAG: pebble.resume loop 1 value {{[01]}} of %[[OWN]] : memref<8xf32>
  // CHECK: pebble.snapshot loop 1 every 10 of
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%own : memref<8xf32>) outs(%m : memref<8xf32>)
    linalg.exp ins(%m : memref<8xf32>) outs(%own : memref<8xf32>)
  }
  memref.dealloc %own : memref<8xf32>
  return %y#0, %y#1 : tensor<8xf32>, f16
}

// -----

// A function that others call takes no snapshots: it may run many times.
// CHECK-LABEL: func.func private @step
// CHECK-NOT: pebble.snapshot
func.func private @step(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %b = math.sin %a : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// An assertion that held holds again; one iteration is not worth a snapshot.
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<8xf32>, %n: i32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %isThere = arith.cmpi sge, %n, %c0 : i32
  cf.assert %isThere, "negative"
  %once = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> (tensor<8xf32>) : i32 {
    %b = func.call @step(%a) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  // CHECK: pebble.resume loop 0
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %once) -> (tensor<8xf32>) : i32 {
    %b = func.call @step(%a) : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK: pebble.snapshot loop 0 every 10 of
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// All ranks go on from one place, and do again together what they did.
// CHECK-LABEL: func.func @ranks
// CHECK: pebble.snapshot loop 0 every 10 of
func.func private @share(%x: tensor<8xf32>) -> tensor<8xf32> {
  %d = tensor.empty() : tensor<8xf32>
  %y = pebble.collective all_reduce %x into %d group = 2 stride = 1 ranks = 2 : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @ranks(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %b = func.call @share(%a) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}
