// MPI counts in 31 bits. A message with more elements ends all ranks, with an
// error that names the operation and the rank. The buffers here only say that
// they are so large: nobody gets to look into them.
// REQUIRES: mpi
// RUN: rm -rf %t && split-file %s %t
// RUN: not %mpirun -np 2 pebble-run %t/send.mlir > %t/send 2>&1
// RUN: FileCheck %s --check-prefix=SEND --input-file=%t/send
// RUN: not %mpirun -np 2 pebble-run %t/gather.mlir > %t/gather 2>&1
// RUN: FileCheck %s --check-prefix=GATHER --input-file=%t/gather
// RUN: not %mpirun -np 2 pebble-run %t/sum.mlir > %t/sum 2>&1
// RUN: FileCheck %s --check-prefix=SUM --input-file=%t/sum
// SEND: pebble: rank 1: mpi.send: the message has 17179869185 elements, and MPI counts to 2147483647
// GATHER: pebble: rank {{[01]}}: all_gather: the message has 2147483648 elements, and MPI counts to 2147483647
// SUM: pebble: rank {{[01]}}: mpi.allreduce: the message has 2147483648 elements, and MPI counts to 2147483647

//--- send.mlir
// Bytes go eight at a time where that helps. It does not with one too many.
func.func @main(%x: memref<4xi8>) {
  %zero = arith.constant 0 : i32
  %n = arith.constant 17179869185 : index
  mpi.init
  %world = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%world) : i32
  %isZero = arith.cmpi eq, %rank, %zero : i32
  %large = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<4xi8> to memref<?xi8>
  scf.if %isZero {
    %one = arith.constant 1 : i32
    mpi.recv(%x, %zero, %one, %world) : memref<4xi8>, i32, i32
  } else {
    mpi.send(%large, %zero, %zero, %world) : memref<?xi8>, i32, i32
  }
  return
}

//--- gather.mlir
func.func @main(%x: memref<4xi8>) {
  %n = arith.constant 2147483648 : index
  %m = arith.constant 4294967296 : index
  %part = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<4xi8> to memref<?xi8>
  %all = memref.reinterpret_cast %x to offset: [0], sizes: [%m], strides: [1] : memref<4xi8> to memref<?xi8>
  pebble.collective all_gather %part into %all group = 2 stride = 1 ranks = 2 : memref<?xi8>, memref<?xi8>
  return
}

//--- sum.mlir
func.func @main(%x: memref<4xf32>) {
  %n = arith.constant 2147483648 : index
  mpi.init
  %world = mpi.comm_world : !mpi.comm
  %large = memref.reinterpret_cast %x to offset: [0], sizes: [%n], strides: [1] : memref<4xf32> to memref<?xf32>
  mpi.allreduce(%large, %large, MPI_SUM, %world) : memref<?xf32>, memref<?xf32>
  return
}
