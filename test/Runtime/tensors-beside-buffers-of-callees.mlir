// A loop makes a buffer of another one and beside a tensor. A caller does not know
// which buffer comes back, and knows that the tensor is none of them: it did not
// escape.
// RUN: pebble-run %s --poison --json=%t.a.json
// RUN: pebble-opt %s --pebble-order-operations | pebble-run - --poison --json=%t.b.json
// RUN: grep sha256 %t.a.json > %t.a && grep sha256 %t.b.json > %t.b && diff %t.a %t.b
// RUN: pebble-opt %s --pebble-print-storage -o /dev/null | FileCheck %s
// CHECK: storage of @main
// CHECK: argument %t: 256 bytes{{$}}
func.func private @w(%A: memref<64xf32>, %t: tensor<64xf32>, %n: index) -> (memref<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %S = memref.alloc() : memref<64xf32>
  memref.copy %A, %S : memref<64xf32> to memref<64xf32>
  %r:3 = scf.while (%i = %c0, %x = %t, %b = %S) : (index, tensor<64xf32>, memref<64xf32>) -> (tensor<64xf32>, memref<64xf32>, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %x, %b, %i : tensor<64xf32>, memref<64xf32>, index
  } do {
  ^bb0(%y: tensor<64xf32>, %b: memref<64xf32>, %i: index):
    %next = arith.addi %i, %c1 : index
    %sum = linalg.add ins(%y, %t : tensor<64xf32>, tensor<64xf32>) outs(%t : tensor<64xf32>) -> tensor<64xf32>
    %new = memref.alloc() : memref<64xf32>
    memref.copy %b, %new : memref<64xf32> to memref<64xf32>
    %e = tensor.extract %sum[%i] : tensor<64xf32>
    memref.store %e, %new[%i] : memref<64xf32>
    scf.yield %next, %sum, %new : index, tensor<64xf32>, memref<64xf32>
  }
  return %r#1, %r#0 : memref<64xf32>, tensor<64xf32>
}
func.func @main(%A: memref<64xf32>, %t: tensor<64xf32>, %n: index) -> (f32, tensor<64xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p:2 = call @w(%A, %t, %n) : (memref<64xf32>, tensor<64xf32>, index) -> (memref<64xf32>, tensor<64xf32>)
  %q:2 = call @w(%p#0, %p#1, %n) : (memref<64xf32>, tensor<64xf32>, index) -> (memref<64xf32>, tensor<64xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%b = %q#0, %x = %t) -> (memref<64xf32>, tensor<64xf32>) {
    %k:2 = func.call @w(%b, %x, %i) : (memref<64xf32>, tensor<64xf32>, index) -> (memref<64xf32>, tensor<64xf32>)
    scf.yield %k#0, %k#1 : memref<64xf32>, tensor<64xf32>
  }
  %v = memref.load %r#0[%c1] : memref<64xf32>
  %u = memref.load %p#0[%c1] : memref<64xf32>
  return %v, %r#1, %u : f32, tensor<64xf32>, f32
}
