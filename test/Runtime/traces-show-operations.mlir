// The trace of a run has a bar for each operation on whole tensors, each call
// and each loop, in the order run and by the names that reports have; what runs
// inside lies within. Nothing else changes: peaks, moves and results are those
// of a run without a trace.
// RUN: split-file %s %t && mkdir %t/files
// RUN: pebble-run %t/step.mlir --json=%t/plain.json
// RUN: pebble-run %t/step.mlir --json=%t/traced.json --trace=%t/trace.json
// RUN: grep -v seconds %t/plain.json > %t/plain.txt
// RUN: grep -v seconds %t/traced.json | diff %t/plain.txt -
// RUN: %python %S/Inputs/read_trace.py %t/trace.json | FileCheck %s --match-full-lines --strict-whitespace

//      CHECK:linalg.exp %y
// CHECK-NEXT:pebble.store %away
// CHECK-NEXT:pebble.wait %there
// CHECK-NEXT:linalg.add at step.mlir:15
// CHECK-NEXT:scf.for %z
// CHECK-NEXT:  half
// CHECK-NEXT:    linalg.square %sq
// CHECK-NEXT:  the gate
// CHECK-NEXT:  linalg.copy at step.mlir:19
// CHECK-NEXT:  half
// CHECK-NEXT:    linalg.square %sq
// CHECK-NEXT:  the gate
// CHECK-NEXT:  linalg.copy at step.mlir:19
// CHECK-NEXT:scf.for at step.mlir:21
// CHECK-NEXT:pebble.load %back
// CHECK-NEXT:pebble.wait %r

// Reports call them the same.
// RUN: pebble-report %t/step.mlir -o %t/report > /dev/null
// RUN: %python %S/Inputs/read_trace.py %t/report/main.trace.json > %t/report.txt
// RUN: grep -c 'linalg.exp %y\|scf.for %z\|pebble.load %back' %t/report.txt | grep -x 3

// A stall is never longer than the transfers that it waits for, whether they
// run beside the program, through files, one after the other, or at a pace.
// RUN: pebble-run %t/waits.mlir --trace=%t/beside.json
// RUN: pebble-run %t/waits.mlir --trace=%t/paced.json --pace
// RUN: pebble-run %t/waits.mlir --trace=%t/files.json --slow-dir=%t/files
// RUN: pebble-run %t/waits.mlir --trace=%t/alone.json --pace --no-overlap
// RUN: %python %S/Inputs/check_stalls.py %t/trace.json %t/beside.json %t/paced.json %t/files.json %t/alone.json

// A trace has an end, and says what is not in it.
// RUN: pebble-run %t/step.mlir --trace=%t/cut.json --trace-limit=20 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: FileCheck %s --check-prefix=END < %t/cut.json
// CUT: warning: the trace ends before the run: {{[1-9][0-9]*}} events are not in it; --trace-limit={{[0-9]+}} has room for all
// END: the trace ends here: {{[1-9][0-9]*}} more events are not in it
// RUN: pebble-run %t/step.mlir --trace=%t/all.json --trace-limit=1000 2>&1 | FileCheck %s --check-prefix=ALL
// ALL-NOT: warning
// RUN: not pebble-run %t/step.mlir --trace-limit=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: for the --trace-limit option: '0' is not a whole number from 1 to

// The calls are in the program only where a trace is asked for.
// RUN: pebble-opt %t/step.mlir --pebble-to-llvm | FileCheck %s --check-prefix=UNTRACED
// UNTRACED-NOT: pebble_rt_begin_operation
// RUN: pebble-opt %t/memory.mlir --pebble-trace-operations --pebble-to-llvm | FileCheck %s --check-prefix=LOWERED
// LOWERED: llvm.call @pebble_rt_begin_operation
// RUN: pebble-opt %t/memory.mlir --pebble-trace-operations | FileCheck %s --check-prefix=MEMORY
// RUN: pebble-opt %t/scalars.mlir --pebble-trace-operations --remarks-filter=pebble-trace-operations 2>&1 | FileCheck %s --check-prefix=NOTHING

//      MEMORY: func.func @main
//  MEMORY-NOT: call
//      MEMORY: call @pebble_rt_begin_operation(%{{.*}}) {pebble_operation = "scf.for at memory.mlir:4"}
// MEMORY-NEXT: scf.for
// MEMORY-NEXT: scf.for
// MEMORY-NEXT: memref.load
//  MEMORY-NOT: call
//      MEMORY: }
// MEMORY-NEXT: }
// MEMORY-NEXT: call @pebble_rt_end_operation
//  MEMORY-NOT: call
//      MEMORY: return

// NOTHING: no function has an operation on tensors or buffers

//--- step.mlir
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"ram", kind = explicit>, <"disk", kind = explicit>]>} {
  func.func private @half(%v: tensor<1024xf32>) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %sq = linalg.square ins(%v : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    return %sq : tensor<1024xf32>
  }
  func.func @main(%a: tensor<1024xf32> {pebble.donated}, %m: memref<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %e = tensor.empty() : tensor<1024xf32>
    %y = linalg.exp ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %away, %t = pebble.store %a : tensor<1024xf32> -> tensor<1024xf32, #pebble.at<"disk">>
    %there = pebble.wait %t for %away : tensor<1024xf32, #pebble.at<"disk">>
    linalg.add ins(%m, %m : memref<1024xf32>, memref<1024xf32>) outs(%m : memref<1024xf32>)
    %z = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %y) -> tensor<1024xf32> {
      %h = func.call @half(%s) : (tensor<1024xf32>) -> tensor<1024xf32>
      %g = linalg.tanh ins(%h : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32> loc("the gate")
      scf.yield %g : tensor<1024xf32>
    }
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        %v = memref.load %m[%j] : memref<1024xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %m[%i] : memref<1024xf32>
      }
    }
    %back, %u = pebble.load %there : tensor<1024xf32, #pebble.at<"disk">> -> tensor<1024xf32>
    %r = pebble.wait %u for %back : tensor<1024xf32>
    return %r, %z : tensor<1024xf32>, tensor<1024xf32>
  }
}

//--- waits.mlir
// Three transfers are under way when the last one is waited for first.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"ram", kind = explicit, bandwidth = 1000000000>, <"disk", kind = explicit, bandwidth = 1000000000, latency = 100000>]>} {
  func.func @main(%a: tensor<65536xf32> {pebble.donated}, %b: tensor<65536xf32> {pebble.donated}, %c: tensor<65536xf32> {pebble.donated}, %s: tensor<16xf32> {pebble.donated}) -> (tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<16xf32>) {
    %e = tensor.empty() : tensor<65536xf32>
    %a0, %t0 = pebble.store %a : tensor<65536xf32> -> tensor<65536xf32, #pebble.at<"disk">>
    %b0, %t1 = pebble.store %b : tensor<65536xf32> -> tensor<65536xf32, #pebble.at<"disk">>
    %c0, %t2 = pebble.store %c : tensor<65536xf32> -> tensor<65536xf32, #pebble.at<"disk">>
    %s0, %t3 = pebble.store %s : tensor<16xf32> -> tensor<16xf32, #pebble.at<"disk">>
    %s1 = pebble.wait %t3 for %s0 : tensor<16xf32, #pebble.at<"disk">>
    %c1 = pebble.wait %t2 for %c0 : tensor<65536xf32, #pebble.at<"disk">>
    %a1 = pebble.wait %t0 for %a0 : tensor<65536xf32, #pebble.at<"disk">>
    %b1 = pebble.wait %t1 for %b0 : tensor<65536xf32, #pebble.at<"disk">>
    %a2, %u0 = pebble.load %a1 : tensor<65536xf32, #pebble.at<"disk">> -> tensor<65536xf32>
    %b2, %u1 = pebble.load %b1 : tensor<65536xf32, #pebble.at<"disk">> -> tensor<65536xf32>
    %c2, %u2 = pebble.load %c1 : tensor<65536xf32, #pebble.at<"disk">> -> tensor<65536xf32>
    %s2, %u3 = pebble.load %s1 : tensor<16xf32, #pebble.at<"disk">> -> tensor<16xf32>
    %s3 = pebble.wait %u3 for %s2 : tensor<16xf32>
    %c3 = pebble.wait %u2 for %c2 : tensor<65536xf32>
    %b3 = pebble.wait %u1 for %b2 : tensor<65536xf32>
    %a3 = pebble.wait %u0 for %a2 : tensor<65536xf32>
    %y = linalg.exp ins(%a3 : tensor<65536xf32>) outs(%e : tensor<65536xf32>) -> tensor<65536xf32>
    return %y, %b3, %c3, %s3 : tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<16xf32>
  }
}

//--- memory.mlir
func.func @main(%m: memref<4xf32>, %view: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c4 {
    scf.for %j = %c0 to %c4 step %c4 {
      %v = memref.load %m[%j] : memref<4xf32>
      memref.store %v, %m[%i] : memref<4xf32>
    }
  }
  %part = memref.subview %view[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  return
}

//--- scalars.mlir
func.func @main(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
