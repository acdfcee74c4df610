// What ranks send in a branch is known where both sides send alike; else it is
// a bound, which one of the ranks meets here.
// REQUIRES: mpi
// RUN: rm -rf %t && split-file %s %t
// RUN: %mpirun -np 2 pebble-run %t/bound.mlir --json=%t/%%r.json --summary=%t/all.json
// RUN: FileCheck %s --input-file=%t/0.json
// RUN: FileCheck %s --input-file=%t/1.json --check-prefix=SILENT
// RUN: FileCheck %s --input-file=%t/all.json --check-prefix=ALL
// RUN: %mpirun -np 2 pebble-run %t/alike.mlir --json=%t/%%r.json
// RUN: FileCheck %s --input-file=%t/0.json --check-prefix=ALIKE
// CHECK: "predicted_is_bound": true
// CHECK: "sent_bytes": 16
// CHECK-NEXT: "predicted_sent_bytes": 16
// SILENT: "predicted_is_bound": true
// SILENT: "sent_bytes": 0
// SILENT-NEXT: "predicted_sent_bytes": 16
// ALL: "as_predicted": true
// ALIKE-NOT: predicted_is_bound
// ALIKE: "sent_bytes": 16
// ALIKE-NEXT: "predicted_sent_bytes": 16

// In a loop of unknown rounds nothing is predicted, and nothing is missed.
// RUN: %mpirun -np 2 pebble-run %t/open.mlir --summary=%t/open.json
// RUN: FileCheck %s --input-file=%t/open.json --check-prefix=OPEN
// OPEN: "sent_bytes": [
// OPEN-NEXT: 12,
// OPEN-NEXT: 12
// OPEN: "predicted_sent_bytes": [
// OPEN-NEXT: null,
// OPEN: "as_predicted": null

//--- bound.mlir
func.func @main(%x: memref<4xf32>) {
  mpi.init
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = arith.cmpi eq, %r, %zero : i32
  scf.if %first {
    mpi.send(%x, %zero, %one, %w) : memref<4xf32>, i32, i32
  } else {
    mpi.recv(%x, %zero, %zero, %w) : memref<4xf32>, i32, i32
  }
  return
}

//--- alike.mlir
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  mpi.init
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = arith.cmpi eq, %r, %zero : i32
  scf.if %first {
    mpi.send(%x, %zero, %one, %w) : memref<4xf32>, i32, i32
    mpi.recv(%y, %zero, %one, %w) : memref<4xf32>, i32, i32
  } else {
    mpi.recv(%y, %zero, %zero, %w) : memref<4xf32>, i32, i32
    mpi.send(%x, %zero, %zero, %w) : memref<4xf32>, i32, i32
  }
  return
}

//--- open.mlir
// Doubles what both have until it is 8 at least: the sums are 4, 8 and 16.
func.func @main() -> tensor<f32> {
  %most = arith.constant 8.0 : f32
  %x = arith.constant dense<2.0> : tensor<f32>
  %y = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %e = tensor.empty() : tensor<f32>
    %sum = pebble.collective all_reduce %a into %e group = 2 stride = 1 ranks = 2 : tensor<f32>, tensor<f32> -> tensor<f32>
    %s = tensor.extract %sum[] : tensor<f32>
    %small = arith.cmpf ole, %s, %most : f32
    scf.condition(%small) %sum : tensor<f32>
  } do {
  ^bb0(%b: tensor<f32>):
    scf.yield %b : tensor<f32>
  }
  return %y : tensor<f32>
}
