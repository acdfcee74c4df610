// What ranks do together costs what the topology says: here an all-reduce of
// 4,096 bytes of 4 ranks by halving, twice two rounds of 100 ns, and three
// quarters of the bytes at one a nanosecond there and back. The additions take
// one nanosecond.
// RUN: sed '/^.. -----$/,$d' %s | pebble-opt --pebble-schedule="budget=100%% objective=time" | FileCheck %s
// RUN: sed 's/ranks = 4>/ranks = 2>/;/^.. -----$/,$d' %s | not pebble-opt --pebble-schedule="budget=100%% objective=time" 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: error: 'pebble.collective' op is for 4 ranks, but the topology of the machine has 2
// CHECK: cost = 6545

// A rank sends one and a half times the bytes, at 10 fJ each, and reads and
// writes them once.
// RUN: sed '/^.. -----$/,$d' %s | pebble-opt --pebble-schedule="budget=100%% objective=energy" | FileCheck %s --check-prefix=ENERGY
// ENERGY: cost = 69632

// The report says what messages take, without measured costs too.
// RUN: sed '/^.. -----$/,$d' %s > %t.mlir
// RUN: pebble-report %t.mlir | FileCheck %s --check-prefix=REPORT
// REPORT: @main: 1 op, cost 1,024 operations, messages 6.54 us
// REPORT: sent over node 24.0 KiB 24,576 B
// RUN: pebble-report %t.mlir --json | FileCheck %s --check-prefix=JSON
// JSON: "predicted_message_ns": 6544
// JSON-NEXT: "message_bytes": {
// JSON-NEXT: "node": 24576
// RUN: pebble-report %t.mlir %t.mlir | FileCheck %s --check-prefix=PAIR
// PAIR: messages {{ *}}6.54 us {{ *}}6.54 us {{ *}}=
// PAIR: sent over node {{ *}}24,576 B {{ *}}24,576 B {{ *}}=

// A message goes through the widest group, where nobody knows whom it is for:
// 100 ns and a nanosecond a byte. What is started is paid for by who waits. To
// wait for all others takes two rounds of nothing.
// RUN: pebble-opt %s --split-input-file --pebble-schedule="budget=100%% objective=time" | FileCheck %s --check-prefix=SEND
// SEND: cost = 6545
// SEND: cost = 8592
// Of a branch the dearer side counts, and a loop as often as it runs.
// SEND: cost = 6544
// SEND: cost = 19633
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit, read = 1, write = 1>], speed = 1000000000000000, topology = <[
    <"node", size = 4, bandwidth = 1000, latency = 100, energy = 10>], ranks = 4>>} {
  func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %y = pebble.collective all_reduce %x into %e group = 4 stride = 1 ranks = 4 : tensor<1024xf32>, tensor<1024xf32> -> tensor<1024xf32>
    return %y : tensor<1024xf32>
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>], speed = 1000000000000000, topology = <[
    <"node", size = 4, bandwidth = 1000, latency = 100>], ranks = 4>>} {
  func.func @main(%x: memref<1024xf32>, %y: memref<1024xf32>, %to: i32) {
    %w = mpi.comm_world : !mpi.comm
    %s = mpi.isend(%x, %to, %to, %w) : memref<1024xf32>, i32, i32 -> !mpi.request
    mpi.recv(%y, %to, %to, %w) : memref<1024xf32>, i32, i32
    mpi.wait(%s) : !mpi.request
    mpi.barrier(%w)
    return
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>], speed = 1000000000000000, topology = <[
    <"node", size = 4, bandwidth = 1000, latency = 100>], ranks = 4>>} {
  func.func @main(%x: tensor<1024xf32>, %s: tensor<512xf32>, %c: i1) -> tensor<1024xf32> {
    %y = scf.if %c -> tensor<1024xf32> {
      %e = tensor.empty() : tensor<1024xf32>
      %a = pebble.collective all_reduce %x into %e group = 4 stride = 1 ranks = 4 : tensor<1024xf32>, tensor<1024xf32> -> tensor<1024xf32>
      scf.yield %a : tensor<1024xf32>
    } else {
      %e = tensor.empty() : tensor<1024xf32>
      %a = pebble.collective all_gather %s into %e group = 2 stride = 1 ranks = 4 : tensor<512xf32>, tensor<1024xf32> -> tensor<1024xf32>
      scf.yield %a : tensor<1024xf32>
    }
    return %y : tensor<1024xf32>
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>], speed = 1000000000000000, topology = <[
    <"node", size = 4, bandwidth = 1000, latency = 100>], ranks = 4>>} {
  func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %from = arith.constant 0 : index
    %to = arith.constant 3 : index
    %by = arith.constant 1 : index
    %y = scf.for %i = %from to %to step %by iter_args(%a = %x) -> tensor<1024xf32> {
      %e = tensor.empty() : tensor<1024xf32>
      %b = pebble.collective all_reduce %a into %e group = 4 stride = 1 ranks = 4 : tensor<1024xf32>, tensor<1024xf32> -> tensor<1024xf32>
      scf.yield %b : tensor<1024xf32>
    }
    return %y : tensor<1024xf32>
  }
}
