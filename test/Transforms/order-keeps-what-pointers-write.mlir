// A callee that only stores through a pointer may write any buffer whose address
// somebody took. What is read of the buffer before the call stays before it.

// RUN: pebble-opt %s --pebble-order-operations=objective=peak | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule=budget-percent=60 | FileCheck %s
// RUN: pebble-run %s --poison --output-dir=%t/before
// RUN: pebble-opt %s --pebble-schedule=budget-percent=60 -o %t.mlir
// RUN: pebble-run %t.mlir --poison --output-dir=%t/after
// RUN: cmp %t/before/result0.npy %t/after/result0.npy
// RUN: cmp %t/before/result1.npy %t/after/result1.npy

func.func private @poke(%p: !llvm.ptr, %f: f32) {
  llvm.store %f, %p : f32, !llvm.ptr
  return
}

// CHECK-LABEL: func.func @main
// CHECK: linalg.broadcast
// CHECK: call @poke
// CHECK: linalg.broadcast
func.func @main(%m: memref<64xf32>, %f: f32) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %i = memref.extract_aligned_pointer_as_index %m : memref<64xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %e = tensor.empty() : tensor<64xf32>
  %wide = tensor.empty() : tensor<64x64xf32>
  %t = bufferization.to_tensor %m restrict : memref<64xf32> to tensor<64xf32>
  %w = linalg.broadcast ins(%t : tensor<64xf32>) outs(%wide : tensor<64x64xf32>) dimensions = [0]
  func.call @poke(%p, %f) : (!llvm.ptr, f32) -> ()
  %t2 = bufferization.to_tensor %m restrict : memref<64xf32> to tensor<64xf32>
  %w2 = linalg.broadcast ins(%t2 : tensor<64xf32>) outs(%wide : tensor<64x64xf32>) dimensions = [0]
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.reduce { arith.addf } ins(%w : tensor<64x64xf32>) outs(%init : tensor<64xf32>) dimensions = [0]
  %r2 = linalg.reduce { arith.addf } ins(%w2 : tensor<64x64xf32>) outs(%init : tensor<64xf32>) dimensions = [0]
  return %r, %r2 : tensor<64xf32>, tensor<64xf32>
}
