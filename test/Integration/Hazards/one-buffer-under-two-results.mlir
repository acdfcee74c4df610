// A callee hands out one buffer of its own twice. The large values are best made and
// used one after the other, which takes the write through one name past the read
// through the other.
// RUN: pebble-run %s --json=%t.a.json && grep sha256 %t.a.json > %t.a
// RUN: pebble-opt %s --pebble-order-operations=objective=peak | pebble-run - --json=%t.b.json
// RUN: grep sha256 %t.b.json | diff %t.a -
// RUN: pebble-opt %s --pebble-schedule=budget=min | pebble-run - --json=%t.c.json
// RUN: grep sha256 %t.c.json | diff %t.a -
// RUN: pebble-opt %s --pebble-print-storage -o /dev/null | FileCheck %s
// CHECK: storage of @main
// CHECK-DAG: local %p#2: 256 bytes{{$}}
// CHECK-DAG: unknown %p#0: 256 bytes, may be s0
// CHECK-DAG: unknown %p#1: 256 bytes, may be s0
func.func private @two(%A: memref<64xf32>, %c: i1) -> (memref<64xf32>, memref<64xf32>, memref<64xf32>) {
  %S = memref.alloc() : memref<64xf32>
  memref.copy %A, %S : memref<64xf32> to memref<64xf32>
  %T = memref.alloc() : memref<64xf32>
  memref.copy %A, %T : memref<64xf32> to memref<64xf32>
  return %S, %S, %T : memref<64xf32>, memref<64xf32>, memref<64xf32>
}
func.func @main(%A: memref<64xf32>, %big: tensor<512xf32>, %c: i1) -> (f32, f32, f32, f32) {
  %c1 = arith.constant 1 : index
  %x = arith.constant 7.0 : f32
  %p:3 = call @two(%A, %c) : (memref<64xf32>, i1) -> (memref<64xf32>, memref<64xf32>, memref<64xf32>)
  %u = memref.load %p#0[%c1] : memref<64xf32>
  %e = tensor.empty() : tensor<512xf32>
  %b1 = linalg.exp ins(%big : tensor<512xf32>) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %b2 = linalg.abs ins(%big : tensor<512xf32>) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  %f2 = tensor.extract %b2[%c1] : tensor<512xf32>
  memref.store %f2, %p#0[%c1] : memref<64xf32>
  %k = memref.load %p#1[%c1] : memref<64xf32>
  %f1 = tensor.extract %b1[%c1] : tensor<512xf32>
  memref.store %f1, %p#1[%c1] : memref<64xf32>
  %v = memref.load %p#0[%c1] : memref<64xf32>
  %t = memref.load %p#2[%c1] : memref<64xf32>
  return %u, %v, %t, %k : f32, f32, f32, f32
}
