// REQUIRES: mpi
// RUN: split-file %s %t
// RUN: %mpirun -np 3 pebble-run %t/sums.mlir --json=%t/%%r.json
// RUN: FileCheck %t/sums.mlir --input-file=%t/2.json
// RUN: not pebble-run %t/waits-twice.mlir 2>&1 | FileCheck %t/waits-twice.mlir
// RUN: not pebble-run %t/never-waits.mlir 2>&1 | FileCheck %t/never-waits.mlir
// RUN: not pebble-run %t/nobody.mlir 2>&1 | FileCheck %t/nobody.mlir
// RUN: not %mpirun -np 2 pebble-run %t/one-dies.mlir > %t/died 2>&1
// RUN: FileCheck %t/one-dies.mlir --input-file=%t/died

// Ranks, sizes, groups, all-reduces in place and not, of views too; every rank
// has the same results. 12 bytes and 8 bytes were sent.
//--- sums.mlir
// CHECK: "results_sha256"
// CHECK: "ranks": 3,
// CHECK-NEXT: "sent_bytes": 20,
// CHECK-NEXT: "predicted_sent_bytes": 20
func.func @main() -> (i32, f32, i64) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %half = arith.constant 0.5 : f32
  %code = mpi.init : !mpi.retval
  %good = mpi.retval_check %code = <MPI_SUCCESS> : i1
  cf.assert %good, "mpi.init"
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %size = mpi.comm_size(%world) : i32
  %group = mpi.comm_split(%world, %zero, %rank) : !mpi.comm
  %m = memref.alloc() : memref<3xf32>
  linalg.fill ins(%half : f32) outs(%m : memref<3xf32>)
  mpi.allreduce(%m, %m, MPI_SUM, %group) : memref<3xf32>, memref<3xf32>
  %sum = memref.load %m[%c0] : memref<3xf32>
  %n = memref.alloc() : memref<2xi64>
  %r = arith.extsi %rank : i32 to i64
  memref.store %r, %n[%c0] : memref<2xi64>
  %one = memref.subview %n[0] [1] [1] : memref<2xi64> to memref<1xi64, strided<[1]>>
  mpi.allreduce(%one, %one, MPI_MAX, %world) : memref<1xi64, strided<[1]>>, memref<1xi64, strided<[1]>>
  %most = memref.load %n[%c0] : memref<2xi64>
  %two = arith.constant 2 : i64
  %isTwo = arith.cmpi eq, %most, %two : i64
  cf.assert %isTwo, "the largest rank is 2"
  %all = arith.constant 1.5 : f32
  %isAll = arith.cmpf oeq, %sum, %all : f32
  cf.assert %isAll, "three halves"
  mpi.barrier(%world)
  mpi.finalize
  return %size, %sum, %most : i32, f32, i64
}

//--- waits-twice.mlir
// CHECK: pebble: rank 0: mpi.wait: this request was waited for before
func.func @main(%x: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  mpi.init
  %world = mpi.comm_world : !mpi.comm
  %s = mpi.isend(%x, %zero, %zero, %world) : memref<4xf32>, i32, i32 -> !mpi.request
  %y = memref.alloc() : memref<4xf32>
  %r = mpi.irecv(%y, %zero, %zero, %world) : memref<4xf32>, i32, i32 -> !mpi.request
  mpi.wait(%s) : !mpi.request
  mpi.wait(%r) : !mpi.request
  mpi.wait(%r) : !mpi.request
  return
}

//--- never-waits.mlir
// CHECK: pebble: rank 0: mpi.finalize: a request was not waited for
func.func @main(%x: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  mpi.init
  %world = mpi.comm_world : !mpi.comm
  %r = mpi.irecv(%x, %zero, %zero, %world) : memref<4xf32>, i32, i32 -> !mpi.request
  mpi.finalize
  return
}

//--- nobody.mlir
// CHECK: pebble: rank 0: mpi.send: {{.*}}rank
func.func @main(%x: memref<4xf32>) {
  %seven = arith.constant 7 : i32
  mpi.init
  %world = mpi.comm_world : !mpi.comm
  mpi.send(%x, %seven, %seven, %world) : memref<4xf32>, i32, i32
  return
}

// Rank 1 fails while rank 0 waits for its message: both end, and it is named.
//--- one-dies.mlir
// CHECK: pebble: rank 1: mpi.send:
func.func @main(%x: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  mpi.init
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %isZero = arith.cmpi eq, %rank, %zero : i32
  scf.if %isZero {
    mpi.recv(%x, %zero, %one, %world) : memref<4xf32>, i32, i32
  } else {
    mpi.send(%x, %seven, %seven, %world) : memref<4xf32>, i32, i32
  }
  return
}
