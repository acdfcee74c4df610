// How much the caller holds by an argument without a rank is the caller's to
// count: the callee is planned all the same. What is made here must have a size.
// RUN: pebble-opt %s --pebble-order-operations --split-input-file -verify-diagnostics | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 --split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func private @fill
// CHECK-SAME: input_peak_bytes = 0
// CHECK: memref.cast
// CHECK: linalg.fill
func.func private @fill(%u: memref<*xf32>) {
  %c2 = arith.constant 2.0 : f32
  %m = memref.cast %u : memref<*xf32> to memref<8xf32>
  linalg.fill ins(%c2 : f32) outs(%m : memref<8xf32>)
  return
}
// CHECK-LABEL: func private @itself
func.func private @itself(%u: memref<*xf32>) -> memref<*xf32> {
  return %u : memref<*xf32>
}
// What is passed on and handed back is the caller's buffer.
// CHECK-LABEL: func @caller
// CHECK-SAME: input_peak_bytes = 64
// CHECK: call @fill
// CHECK: linalg.exp
func.func @caller(%x: memref<8xf32>, %c: i1) {
  %u = memref.cast %x : memref<8xf32> to memref<*xf32>
  call @fill(%u) : (memref<*xf32>) -> ()
  %v = call @itself(%u) : (memref<*xf32>) -> memref<*xf32>
  %w = scf.if %c -> memref<*xf32> {
    scf.yield %u : memref<*xf32>
  } else {
    scf.yield %v : memref<*xf32>
  }
  %m = memref.cast %w : memref<*xf32> to memref<8xf32>
  linalg.exp ins(%m : memref<8xf32>) outs(%m : memref<8xf32>)
  return
}

// -----

func.func @unranked_result(%x: memref<8xf32>) {
  %c = arith.constant 0.0 : f32
  // expected-error @below {{size of tensor<*xf32> is not known, for it has no rank}}
  %t = "any.op"() : () -> tensor<*xf32>
  linalg.fill ins(%c : f32) outs(%x : memref<8xf32>)
  return
}
