// A transfer with a stride goes piece by piece through the slower memory, the
// one of the lower number; the last piece may be shorter. In one memory nobody
// knows whose the stride is.
// RUN: split-file %s %t
// RUN: pebble-run %t/dma.mlir --output-dir=%t/dma 2>&1 | FileCheck %s --check-prefix=AS
// RUN: pebble-run %t/plain.mlir --output-dir=%t/plain
// RUN: cmp %t/dma/argument1.npy %t/plain/argument1.npy
// RUN: pebble-opt %t/dma.mlir --pebble-schedule=budget=min -o %t.planned.mlir
// RUN: pebble-run %t.planned.mlir --output-dir=%t/planned
// RUN: cmp %t/planned/argument1.npy %t/plain/argument1.npy
// RUN: not pebble-run %t/one.mlir 2>&1 | FileCheck %s --check-prefix=ONE

// AS: as predicted
// ONE: one.mlir:6:3: error: failed to legalize operation 'memref.dma_start'
// ONE: note: this operation can be analysed but not run

//--- dma.mlir
func.func @main(%far: memref<8x8xf32>, %to: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 10 : index
  %stride = arith.constant 8 : index
  %near = memref.alloc() : memref<16xf32, 1>
  %tag = memref.alloc() : memref<1xi32>
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %near[%i] : memref<16xf32, 1>
  }
  // Three of each row, and one of the fourth.
  memref.dma_start %far[%c1, %c2], %near[%c0], %n, %tag[%c0], %stride, %c3 : memref<8x8xf32>, memref<16xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  memref.dma_start %near[%c0], %to[%c2, %c1], %n, %tag[%c0], %stride, %c3 : memref<16xf32, 1>, memref<8x8xf32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  memref.dealloc %near : memref<16xf32, 1>
  memref.dealloc %tag : memref<1xi32>
  return
}

//--- plain.mlir
func.func @main(%far: memref<8x8xf32>, %to: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = memref.alloc() : memref<3x3xf32>
  %from = memref.subview %far[1, 2] [3, 3] [1, 1] : memref<8x8xf32> to memref<3x3xf32, strided<[8, 1], offset: 10>>
  %into = memref.subview %to[2, 1] [3, 3] [1, 1] : memref<8x8xf32> to memref<3x3xf32, strided<[8, 1], offset: 17>>
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %last = memref.load %far[%c4, %c2] : memref<8x8xf32>
  memref.copy %from, %t : memref<3x3xf32, strided<[8, 1], offset: 10>> to memref<3x3xf32>
  memref.copy %t, %into : memref<3x3xf32> to memref<3x3xf32, strided<[8, 1], offset: 17>>
  memref.store %last, %to[%c5, %c1] : memref<8x8xf32>
  memref.dealloc %t : memref<3x3xf32>
  return
}

//--- one.mlir
func.func @main(%far: memref<8x8xf32>, %to: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 8 : index
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %far[%c0, %c0], %to[%c0, %c0], %n, %tag[%c0], %n, %c2 : memref<8x8xf32>, memref<8x8xf32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  memref.dealloc %tag : memref<1xi32>
  return
}
