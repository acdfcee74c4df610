// RUN: pebble-opt %s --split-input-file --verify-diagnostics --pebble-lower-mpi

func.func @strided(%x: memref<4x4xf32, strided<[8, 1]>>, %r: i32, %c: !mpi.comm) {
  // expected-error@+2 {{a message is a dense buffer, got 'memref<4x4xf32, strided<[8, 1]>>'}}
  // expected-error@+1 {{failed to legalize operation 'mpi.send'}}
  mpi.send(%x, %r, %r, %c) : memref<4x4xf32, strided<[8, 1]>>, i32, i32
  return
}

// -----

func.func @half(%x: memref<4xf16>, %c: !mpi.comm) {
  // expected-error@+2 {{MPI has no reduction of elements of type 'f16'}}
  // expected-error@+1 {{failed to legalize operation 'mpi.allreduce'}}
  mpi.allreduce(%x, %x, MPI_SUM, %c) : memref<4xf16>, memref<4xf16>
  return
}

// -----

func.func @two_types(%x: memref<4xf32>, %y: memref<4xf64>, %c: !mpi.comm) {
  // expected-error@+2 {{both buffers are of one type}}
  // expected-error@+1 {{failed to legalize operation 'mpi.allreduce'}}
  mpi.allreduce(%x, %y, MPI_SUM, %c) : memref<4xf32>, memref<4xf64>
  return
}

// -----

func.func @place(%x: memref<4xf32>, %c: !mpi.comm) {
  // expected-error@+2 {{reductions are MPI_MAX, MPI_MIN, MPI_SUM and MPI_PROD}}
  // expected-error@+1 {{failed to legalize operation 'mpi.allreduce'}}
  mpi.allreduce(%x, %x, MPI_BAND, %c) : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @ui32(%x: memref<4xui32>, %c: !mpi.comm) {
  // expected-error@+2 {{MPI has no reduction of elements of type 'ui32'}}
  // expected-error@+1 {{failed to legalize operation 'mpi.allreduce'}}
  mpi.allreduce(%x, %x, MPI_MAX, %c) : memref<4xui32>, memref<4xui32>
  return
}

// -----

func.func @i24(%x: memref<4xi24>, %c: !mpi.comm) {
  // expected-error@+2 {{MPI has no reduction of elements of type 'i24'}}
  // expected-error@+1 {{failed to legalize operation 'mpi.allreduce'}}
  mpi.allreduce(%x, %x, MPI_MAX, %c) : memref<4xi24>, memref<4xi24>
  return
}
