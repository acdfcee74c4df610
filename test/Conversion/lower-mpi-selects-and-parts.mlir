// RUN: pebble-opt %s --pebble-lower-mpi | FileCheck %s

// A simplified branch selects a communicator.
// CHECK-LABEL: func @selected
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i64
func.func @selected(%b: i1) -> i32 {
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  %s = mpi.comm_split(%w, %zero, %zero) : !mpi.comm
  %c = arith.select %b, %w, %s : !mpi.comm
  %r = mpi.comm_rank(%c) : i32
  return %r : i32
}

// A part is dense if its steps are known to be, however long it is.
// CHECK-LABEL: func @rows
// CHECK: call @pebble_mpi_send
func.func @rows(%x: memref<?x4xf32, strided<[4, 1], offset: ?>>, %r: i32, %c: !mpi.comm) {
  mpi.send(%x, %r, %r, %c) : memref<?x4xf32, strided<[4, 1], offset: ?>>, i32, i32
  return
}

// A grid whose uses upstream has lowered is left there, and goes.
// CHECK-NOT: shard.grid
shard.grid @line(shape = 4)
