// All ranks stand in one trace, each a process, and in one summary: what each
// sent over the links of each group, how long all of them took, and what of
// that they stood still. With --pace nothing is faster than the topology says.
// REQUIRES: mpi
// RUN: rm -rf %t && split-file %s %t
// RUN: %mpirun -np 4 pebble-run %t/together.mlir --pace --trace=%t/trace.json --summary=%t/all.json --json=%t/%%r.json
// RUN: %python %S/Inputs/check_ranks.py %t/trace.json %t/all.json 4 "messages over board" "messages over rack"
// RUN: FileCheck %s --input-file=%t/all.json
// RUN: FileCheck %s --input-file=%t/2.json --check-prefix=ONE
//      CHECK: "sent_bytes_by_group": {
// CHECK-NEXT:   "board": [
// CHECK-NEXT:     4096,
// CHECK-NEXT:     4096,
// CHECK-NEXT:     4096,
// CHECK-NEXT:     4096
//      CHECK:   "rack": [
// CHECK-NEXT:     2048,
//      CHECK: "predicted_sent_bytes_by_group": {
// CHECK-NEXT:   "board": [
// CHECK-NEXT:     4096,
//      CHECK: "as_predicted": true
//      ONE: "sent_bytes_by_group": {
// ONE-NEXT:   "board": 4096,
// ONE-NEXT:   "rack": 2048
//      ONE: "predicted_sent_bytes_by_group": {
// ONE-NEXT:   "board": 4096,
// ONE-NEXT:   "rack": 2048

// Whom a message is for is known to the run alone; so is, then, over which
// links it goes. Rank 0 sends over the board, rank 1 over the rack.
// RUN: %mpirun -np 4 pebble-run %t/messages.mlir --pace --trace=%t/sent.json --summary=%t/sent-all.json
// RUN: %python %S/Inputs/check_ranks.py %t/sent.json %t/sent-all.json 4 "messages over board" "messages over rack"
// RUN: FileCheck %s --input-file=%t/sent-all.json --check-prefix=SENT
//      SENT: "sent_bytes_by_group": {
// SENT-NEXT:   "board": [
// SENT-NEXT:     64,
// SENT-NEXT:     0,
//      SENT:   "rack": [
// SENT-NEXT:     0,
// SENT-NEXT:     64,
//      SENT: "predicted_sent_bytes_by_group": {
// SENT-NEXT:   "board": [
// SENT-NEXT:     null,
//      SENT: "as_predicted": true

// With %r in its name each rank writes its own; who has no messages, has to.
// RUN: %mpirun -np 4 pebble-run %t/messages.mlir --trace=%t/own.%%r.json
// RUN: grep -c '"name":"rank 3"' %t/own.3.json
// RUN: not grep '"name":"rank 3"' %t/own.0.json
// RUN: not %mpirun -np 2 pebble-run %t/alone.mlir --trace=%t/none.json > %t/none 2>&1
// RUN: FileCheck %s --input-file=%t/none --check-prefix=NONE
// RUN: %mpirun -np 2 pebble-run %t/alone.mlir --trace=%t/alone.%%r.json
// NONE: --trace={{.*}}: the program sends no messages, so there is no trace of all ranks; a trace of each has %r in its name

//--- together.mlir
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"ram", kind = explicit>], topology = <[
    <"board", size = 2, bandwidth = 1, latency = 100000>, <"rack", size = 4, bandwidth = 1, latency = 500000>], ranks = 4>>} {
  func.func @main(%x: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
    %e = tensor.empty() : tensor<1024xf32>
    %p = tensor.empty() : tensor<512xf32>
    // Rows of two, and columns of two.
    %u, %t = pebble.collective_start all_reduce %x into %e group = 2 stride = 1 ranks = 4 : tensor<1024xf32>, tensor<1024xf32> -> tensor<1024xf32>
    %part = tensor.extract_slice %x[0] [512] [1] : tensor<1024xf32> to tensor<512xf32>
    %own = linalg.copy ins(%part : tensor<512xf32>) outs(%p : tensor<512xf32>) -> tensor<512xf32>
    %f = tensor.empty() : tensor<1024xf32>
    %all = pebble.collective all_gather %own into %f group = 2 stride = 2 ranks = 4 : tensor<512xf32>, tensor<1024xf32> -> tensor<1024xf32>
    %sum = pebble.collective_wait %t for %u : tensor<1024xf32>
    return %sum, %all : tensor<1024xf32>, tensor<1024xf32>
  }
}

//--- messages.mlir
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"ram", kind = explicit>], topology = <[
    <"board", size = 2, bandwidth = 1, latency = 100000>, <"rack", size = 4, bandwidth = 1, latency = 500000>], ranks = 4>>} {
  // Each rank sends to the next one.
  func.func @main(%x: memref<16xf32>, %y: memref<16xf32>) {
    mpi.init
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %w = mpi.comm_world : !mpi.comm
    %r = mpi.comm_rank(%w) : i32
    %up = arith.addi %r, %one : i32
    %next = arith.andi %up, %three : i32
    %down = arith.addi %r, %three : i32
    %before = arith.andi %down, %three : i32
    %s = mpi.isend(%x, %zero, %next, %w) : memref<16xf32>, i32, i32 -> !mpi.request
    mpi.recv(%y, %zero, %before, %w) : memref<16xf32>, i32, i32
    mpi.wait(%s) : !mpi.request
    mpi.barrier(%w)
    mpi.finalize
    return
  }
}

//--- alone.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
