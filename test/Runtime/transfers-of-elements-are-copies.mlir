// memref.dma_start and affine.dma_start copy where they stand, and nobody need
// wait: between start and wait the program may not look.

// RUN: split-file %s %t.d
// RUN: pebble-run %t.d/good.mlir --output-dir=%t
// RUN: pebble-run %t.d/good.mlir --entry=copies --output-dir=%t.copies
// RUN: cmp %t/argument1.npy %t.copies/argument1.npy
// RUN: pebble-opt %t.d/good.mlir --pebble-schedule=budget=min -o %t.mlir
// RUN: pebble-run %t.mlir --output-dir=%t.planned
// RUN: cmp %t.planned/argument1.npy %t.copies/argument1.npy
// RUN: not pebble-run %t.d/strided.mlir 2>&1 | FileCheck %s

//--- good.mlir
func.func @main(%from: memref<4x8xf32>, %to: memref<64xf32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %ten = arith.constant 10 : index
  %tags = memref.alloc() : memref<2xi32>
  memref.dma_start %from[%two, %one], %to[%ten], %ten, %tags[%zero]
      : memref<4x8xf32>, memref<64xf32>, memref<2xi32>
  memref.dma_wait %tags[%zero], %ten : memref<2xi32>
  affine.dma_start %from[%zero, symbol(%one) + 2], %to[40], %tags[1], %n
      : memref<4x8xf32>, memref<64xf32>, memref<2xi32>
  affine.dma_wait %tags[1], %n : memref<2xi32>
  return
}
func.func @copies(%from: memref<4x8xf32>, %to: memref<64xf32>, %n: index) {
  %flat = memref.collapse_shape %from [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %a = memref.subview %flat[17] [10] [1] : memref<32xf32> to memref<10xf32, strided<[1], offset: 17>>
  %b = memref.subview %to[10] [10] [1] : memref<64xf32> to memref<10xf32, strided<[1], offset: 10>>
  memref.copy %a, %b : memref<10xf32, strided<[1], offset: 17>> to memref<10xf32, strided<[1], offset: 10>>
  %c = memref.subview %flat[3] [%n] [1] : memref<32xf32> to memref<?xf32, strided<[1], offset: 3>>
  %d = memref.subview %to[40] [%n] [1] : memref<64xf32> to memref<?xf32, strided<[1], offset: 40>>
  memref.copy %c, %d : memref<?xf32, strided<[1], offset: 3>> to memref<?xf32, strided<[1], offset: 40>>
  return
}
//--- strided.mlir
// CHECK: strided.mlir:7:3: error: failed to legalize operation 'memref.dma_start'
func.func @main(%from: memref<32xf32>, %to: memref<64xf32>) {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %ten = arith.constant 10 : index
  %tags = memref.alloc() : memref<1xi32>
  memref.dma_start %from[%zero], %to[%zero], %ten, %tags[%zero], %ten, %two
      : memref<32xf32>, memref<64xf32>, memref<1xi32>
  memref.dma_wait %tags[%zero], %ten : memref<1xi32>
  return
}
