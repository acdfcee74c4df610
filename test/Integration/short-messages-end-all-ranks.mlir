// REQUIRES: mpi
// RUN: not %mpirun -np 2 pebble-run %s --quiet 2>&1 | FileCheck %s

// The buffer of a receive must be filled, also where the receive is waited for.
// CHECK: pebble: rank 1: mpi.wait: the message is smaller than the buffer
func.func @main() -> i32 {
  %e = mpi.init : !mpi.retval
  %w = mpi.comm_world : !mpi.comm
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = mpi.comm_rank(%w) : i32
  %z = arith.cmpi eq, %r, %c0 : i32
  scf.if %z {
    %m = memref.alloc() : memref<4xf32>
    %v = arith.constant 1.0 : f32
    linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
    mpi.send(%m, %c0, %c1, %w) : memref<4xf32>, i32, i32
  } else {
    %m = memref.alloc() : memref<8xf32>
    %q = mpi.irecv(%m, %c0, %c0, %w) : memref<8xf32>, i32, i32 -> !mpi.request
    mpi.wait(%q) : !mpi.request
  }
  mpi.finalize
  return %r : i32
}
