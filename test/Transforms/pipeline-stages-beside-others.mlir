// Functions that have the names under which ranks are planned keep them, and what
// a step computes beside its stages is followed once, however often it is read.
// RUN: pebble-opt %s --pebble-pipeline-stages="micro-batches=2" | FileCheck %s
// RUN: pebble-opt %s --pebble-pipeline-stages="micro-batches=2 rank=1" | FileCheck %s --check-prefix=RANK

// CHECK-LABEL: func.func @step.whole(
// CHECK-SAME: tensor<8xi32>
// CHECK-LABEL: func.func @step.1(
// CHECK-SAME: tensor<8xi32>
// CHECK-LABEL: func.func @step(
// CHECK-SAME: tensor<2x8xf32>
// CHECK-NOT: func.func @step
// RANK-LABEL: func.func @step(
// RANK: mpi.irecv
func.func @step.whole(%x: tensor<8xi32>) -> tensor<8xi32> {
  return %x : tensor<8xi32>
}
func.func @step.1(%x: tensor<8xi32>) -> tensor<8xi32> {
  return %x : tensor<8xi32>
}
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
func.func @step(%x: tensor<8xf32> {pebble.micro_batch}, %m: tensor<8xf32> {pebble.micro_batch})
    -> (tensor<8xf32>, tensor<8xf32> {pebble.micro_batch}) {
  %y, %c = call @half(%x) {pebble.stage = 0 : i64} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %z, %d = call @half(%y) {pebble.stage = 1 : i64} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %e0 = arith.mulf %m, %m : tensor<8xf32>
  %e1 = arith.addf %e0, %e0 : tensor<8xf32>
  %e2 = arith.addf %e1, %e1 : tensor<8xf32>
  %e3 = arith.addf %e2, %e2 : tensor<8xf32>
  %e4 = arith.addf %e3, %e3 : tensor<8xf32>
  %e5 = arith.addf %e4, %e4 : tensor<8xf32>
  %e6 = arith.addf %e5, %e5 : tensor<8xf32>
  %e7 = arith.addf %e6, %e6 : tensor<8xf32>
  %e8 = arith.addf %e7, %e7 : tensor<8xf32>
  %e9 = arith.addf %e8, %e8 : tensor<8xf32>
  %e10 = arith.addf %e9, %e9 : tensor<8xf32>
  %e11 = arith.addf %e10, %e10 : tensor<8xf32>
  %e12 = arith.addf %e11, %e11 : tensor<8xf32>
  %e13 = arith.addf %e12, %e12 : tensor<8xf32>
  %e14 = arith.addf %e13, %e13 : tensor<8xf32>
  %e15 = arith.addf %e14, %e14 : tensor<8xf32>
  %e16 = arith.addf %e15, %e15 : tensor<8xf32>
  %e17 = arith.addf %e16, %e16 : tensor<8xf32>
  %e18 = arith.addf %e17, %e17 : tensor<8xf32>
  %e19 = arith.addf %e18, %e18 : tensor<8xf32>
  %e20 = arith.addf %e19, %e19 : tensor<8xf32>
  %e21 = arith.addf %e20, %e20 : tensor<8xf32>
  %e22 = arith.addf %e21, %e21 : tensor<8xf32>
  %e23 = arith.addf %e22, %e22 : tensor<8xf32>
  %e24 = arith.addf %e23, %e23 : tensor<8xf32>
  %e25 = arith.addf %e24, %e24 : tensor<8xf32>
  %e26 = arith.addf %e25, %e25 : tensor<8xf32>
  %e27 = arith.addf %e26, %e26 : tensor<8xf32>
  %e28 = arith.addf %e27, %e27 : tensor<8xf32>
  %e29 = arith.addf %e28, %e28 : tensor<8xf32>
  %e30 = arith.addf %e29, %e29 : tensor<8xf32>
  %e31 = arith.addf %e30, %e30 : tensor<8xf32>
  %e32 = arith.addf %e31, %e31 : tensor<8xf32>
  %e33 = arith.addf %e32, %e32 : tensor<8xf32>
  %e34 = arith.addf %e33, %e33 : tensor<8xf32>
  %e35 = arith.addf %e34, %e34 : tensor<8xf32>
  %e36 = arith.addf %e35, %e35 : tensor<8xf32>
  %e37 = arith.addf %e36, %e36 : tensor<8xf32>
  %e38 = arith.addf %e37, %e37 : tensor<8xf32>
  %e39 = arith.addf %e38, %e38 : tensor<8xf32>
  %e40 = arith.addf %e39, %e39 : tensor<8xf32>
  %dy = call @half_back(%d, %z) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %dx = call @half_back(%c, %dy) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %dx, %e40 : tensor<8xf32>, tensor<8xf32>
}
