// PATH=$PWD/build/bin:$PATH sh -c "pebble-opt test/Integration/Loops/raised-memory.mlir --pebble-raise-loops --pebble-checkpoint-loops=slots=4 | pebble-run - --json=/dev/stdout"
// Loops that talk over tapes in memory, and whose backward steps read what is
// made of the final state, give the same results when they are raised.
// RUN: pebble-opt %s --pebble-raise-loops -o %t.mlir
// RUN: FileCheck %s --check-prefix=RAISED < %t.mlir
// RAISED-NOT: memref
// RAISED: pebble.adjoint_loop
// RAISED-NOT: memref
// RUN: pebble-run %s --seed=3 --json=%t.before
// RUN: pebble-run %t.mlir --seed=3 --json=%t.after
// RUN: grep results_sha256 %t.before > %t.sum
// RUN: grep results_sha256 %t.after | diff - %t.sum
// RUN: %python %S/reverse.py %t.mlir --options=slots=3 | FileCheck %s
// CHECK: all states: peak {'default': {{[0-9]+}}}
// CHECK: slots=3: peak {'default': {{[0-9]+}}}
// It stays so when equal operations are merged and constants folded after it.
// RUN: pebble-opt %t.mlir -cse -canonicalize --pebble-checkpoint-loops=slots=4 -cse -canonicalize -o %t.four.mlir
// RUN: pebble-run %t.four.mlir --seed=3 --json=%t.four
// RUN: grep results_sha256 %t.four | diff - %t.sum
func.func @main(%x: tensor<64xf32>, %w: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %n = arith.constant 50 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %m = memref.alloc() : memref<50x64xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> tensor<64xf32> {
    %v = memref.subview %m[%i, 0] [1, 64] [1, 1] : memref<50x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    bufferization.materialize_in_destination %s in restrict writable %v : (tensor<64xf32>, memref<64xf32, strided<[1], offset: ?>>) -> ()
    %u = arith.mulf %w, %s : tensor<64xf32>
    %next = math.sin %u : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  }
  // Each step scales its part of the gradient by this.
  %square = arith.mulf %y, %y : tensor<64xf32>
  %scale = math.exp %square : tensor<64xf32>
  %g0 = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %last = arith.subi %n, %c1 : index
  %b:2 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %y, %g = %g0) -> (tensor<64xf32>, tensor<64xf32>) {
    %k = arith.subi %last, %j : index
    %v = memref.subview %m[%k, 0] [1, 64] [1, 1] : memref<50x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %s = bufferization.to_tensor %v restrict : memref<64xf32, strided<[1], offset: ?>> to tensor<64xf32>
    %u = arith.mulf %w, %s : tensor<64xf32>
    %cos = math.cos %u : tensor<64xf32>
    %du = arith.mulf %cos, %a : tensor<64xf32>
    %da = arith.mulf %w, %du : tensor<64xf32>
    %dg = arith.mulf %s, %du : tensor<64xf32>
    %scaled = arith.mulf %dg, %scale : tensor<64xf32>
    %sum = arith.addf %g, %scaled : tensor<64xf32>
    scf.yield %da, %sum : tensor<64xf32>, tensor<64xf32>
  }
  memref.dealloc %m : memref<50x64xf32>
  return %y, %b#0, %b#1 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
