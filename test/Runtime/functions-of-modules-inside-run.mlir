// A module inside of another is a world of its own: its names mean its own
// functions and globals. What stands in it is planned, lowered and run as if
// it stood alone, whatever the modules around it call theirs.

// RUN: pebble-run %s 2>&1 | FileCheck %s --check-prefix=OUTER
// OUTER: pebble-run: @main: no memory
// RUN: pebble-run %s --entry=in::main --json=%t.json 2>&1 | FileCheck %s --check-prefix=INNER
// INNER: pebble-run: @in::main: peak in default 384 B as predicted
// RUN: pebble-run %s --entry=in::deeper::f 2>&1 | FileCheck %s --check-prefix=DEEPER
// DEEPER: pebble-run: @in::deeper::f: peak in default 128 B as predicted

// Planned, it gives the same.
// RUN: pebble-opt %s --pebble-schedule=budget=min -o %t.mlir 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN: @in::main: budget 320 B, peak 384 B -> 320 B
// RUN: pebble-run %t.mlir 2>&1 | FileCheck %s --check-prefix=OUTER
// RUN: pebble-run %t.mlir --entry=in::main --json=%t.planned.json 2>&1 | FileCheck %s --check-prefix=PLANNED
// PLANNED: pebble-run: @in::main: peak in default 320 B as predicted
// RUN: grep sha256 %t.json > %t.sum && grep sha256 %t.planned.json | diff - %t.sum

// With addresses as well.
// RUN: pebble-opt %s --pebble-plan-addresses -o %t.placed.mlir
// RUN: pebble-run %t.placed.mlir --entry=in::main --json=%t.placed.json
// RUN: grep sha256 %t.placed.json | diff - %t.sum

// All of it becomes LLVM, each module with kernels and calls of its own.
// RUN: pebble-opt %t.mlir --pebble-to-llvm | FileCheck %s --check-prefix=LLVM
// LLVM: module @in
// LLVM:   llvm.func @pebble_rt_alloc
// LLVM:   llvm.func @f
// LLVM:   module @deeper
// LLVM:     llvm.func @pebble_rt_alloc
// LLVM:     llvm.func @f
// LLVM:     llvm.func internal @pebble_kernel
// LLVM:   llvm.func internal @pebble_kernel
// LLVM: llvm.func @f
// LLVM: llvm.func @main(%arg0: f32) -> f32

// RUN: not pebble-run %s --entry=out::main 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: no function 'out::main' with a body

module @in {
  memref.global "private" @state : memref<16xf32> = dense<2.0>
  func.func private @f(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
    %a = math.sin %x : tensor<16xf32>
    %b = math.cos %x : tensor<16xf32>
    %c = math.exp %b : tensor<16xf32>
    %d = arith.mulf %a, %c : tensor<16xf32>
    return %d, %b : tensor<16xf32>, tensor<16xf32>
  }
  func.func @main(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
    %zero = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    %early = math.exp %x : tensor<16xf32>
    %y:2 = call @f(%x) : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    %state = memref.get_global @state : memref<16xf32>
    %v = vector.transfer_read %x[%zero], %pad : tensor<16xf32>, vector<8xf32>
    vector.transfer_write %v, %state[%zero] : vector<8xf32>, memref<16xf32>
    %s = bufferization.to_tensor %state restrict : memref<16xf32> to tensor<16xf32>
    %z = arith.addf %s, %y#0 : tensor<16xf32>
    %w = arith.addf %early, %y#1 : tensor<16xf32>
    return %z, %w : tensor<16xf32>, tensor<16xf32>
  }
  module @deeper {
    func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
      %a = math.absf %x : tensor<16xf32>
      return %a : tensor<16xf32>
    }
  }
}
func.func private @f(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
func.func @main(%x: f32) -> f32 {
  %y = call @f(%x) : (f32) -> f32
  return %y : f32
}
