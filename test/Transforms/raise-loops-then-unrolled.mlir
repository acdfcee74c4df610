// RUN: pebble-opt %s --pebble-raise-loops=unrolled=10 | FileCheck %s

// Unrolled steps are looked for in the blocks that are left when loops have
// been raised: those of the loops are gone.
// CHECK-LABEL: @raised
// CHECK: pebble.adjoint_loop
// CHECK-NOT: scf.for
func.func @raised(%n: index, %x: f32, %t0: tensor<100xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0) -> (f32, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %next = math.sin %s : f32
    scf.yield %next, %u : f32, tensor<100xf32>
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y#0) -> f32 {
    %k = arith.subi %last, %i : index
    %s = tensor.extract %y#1[%k] : tensor<100xf32>
    %next = arith.mulf %a, %s : f32
    scf.yield %next : f32
  }
  return %dx : f32
}

// What is called and does not return is not put in the place of its call.
// CHECK-LABEL: @calls_what_never_returns
// CHECK: call @never
func.func private @never(%x: f32) -> f32 {
  ub.unreachable
}
func.func @calls_what_never_returns(%n: index, %x: f32, %t0: tensor<100xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0) -> (f32, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %next = func.call @never(%s) : (f32) -> f32
    scf.yield %next, %u : f32, tensor<100xf32>
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y#0) -> f32 {
    %k = arith.subi %last, %i : index
    %s = tensor.extract %y#1[%k] : tensor<100xf32>
    %next = arith.mulf %a, %s : f32
    scf.yield %next : f32
  }
  return %dx : f32
}
