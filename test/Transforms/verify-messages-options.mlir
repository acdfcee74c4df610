// Each rank has a function of its own; who is missing is said.
// RUN: pebble-opt %s --pebble-verify-messages=functions=first,second | FileCheck %s
// CHECK: @first
// RUN: not pebble-opt %s --pebble-verify-messages=functions=first,first 2>&1 | FileCheck %s --check-prefix=STUCK
// STUCK: error: 'mpi.send' op is where rank 1 waits for ever: ranks wait for each other in a circle, 1 -> 1
// RUN: not pebble-opt %s --pebble-verify-messages=functions=first,third 2>&1 | FileCheck %s --check-prefix=THIRD
// THIRD: error: there is no function '@third' with a body
// RUN: not pebble-opt %s --pebble-verify-messages="functions=first,second ranks=3" 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: there are 2 functions for 3 ranks
// RUN: not pebble-opt %s --pebble-verify-messages 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: error: how many ranks run the program is not known: give ranks=N, from 1, or a machine with a topology
// RUN: not pebble-opt %s --pebble-verify-messages=ranks=0 2>&1 | FileCheck %s --check-prefix=RANKS
// RUN: not pebble-opt %s --target=host-2 --pebble-verify-messages 2>&1 | FileCheck %s --check-prefix=MAIN
// MAIN: error: there is no function '@main', and 2 public ones
// RUN: not pebble-opt %s --pebble-verify-messages=ranks=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: a program has 1 to 1048576 ranks, not -1
func.func @first(%x: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %w = mpi.comm_world : !mpi.comm
  mpi.send(%x, %zero, %one, %w) : memref<4xf32>, i32, i32
  return
}
func.func @second(%x: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  mpi.recv(%x, %zero, %zero, %w) : memref<4xf32>, i32, i32
  return
}
