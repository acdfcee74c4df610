// A group of ranks is made while a message with any tag is under way: the two do
// not meet. Tags that make groups, and those below 0, are refused.
// REQUIRES: mpi
// RUN: %mpirun -np 2 pebble-run %s --summary=%t.json
// RUN: FileCheck %s --input-file=%t.json --check-prefix=ALL
// ALL: "as_predicted": true
// RUN: sed 's/constant 01 /constant 2147483647 /' %s > %t.large.mlir
// RUN: not %mpirun -np 2 pebble-run %t.large.mlir 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: mpi.isend: the tag 2147483647 is none of 0 to {{[0-9]+}}
// RUN: sed 's/constant 01 /constant -2 /' %s > %t.small.mlir
// RUN: not %mpirun -np 2 pebble-run %t.small.mlir 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: mpi.isend: the tag -2 is none of 0 to {{[0-9]+}}
func.func @main(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  mpi.init
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %one = arith.constant 1 : i32
  %tag = arith.constant 01 : i32
  %other = arith.subi %one, %r : i32
  %m = memref.alloc() : memref<8x4xf32>
  %n = memref.alloc() : memref<8x4xf32>
  bufferization.materialize_in_destination %x in writable %m : (tensor<8x4xf32>, memref<8x4xf32>) -> ()
  %q = mpi.isend(%m, %tag, %other, %w) : memref<8x4xf32>, i32, i32 -> !mpi.request
  %e = tensor.empty() : tensor<8x4xf32>
  %sum = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  mpi.recv(%n, %tag, %other, %w) : memref<8x4xf32>, i32, i32
  mpi.wait(%q) : !mpi.request
  %y = bufferization.to_tensor %n restrict : memref<8x4xf32> to tensor<8x4xf32>
  return %sum, %y : tensor<8x4xf32>, tensor<8x4xf32>
}
