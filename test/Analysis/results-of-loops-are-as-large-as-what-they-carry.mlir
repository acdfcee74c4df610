// A block uses what a loop of another block ends with. Its type leaves the size
// open; the loop can end with nothing but the buffer that it began with.
// RUN: pebble-opt %s --pebble-order-operations=objective=peak -o %t.mlir
// RUN: pebble-run %t.mlir --poison
// RUN: pebble-run %t.mlir --poison --entry=conditions
// RUN: sed '/@main/,/^}/s/memref<4xf32> \(to\|{\)/memref<?xf32> \1/' %s > %t.open.mlir
// RUN: not pebble-opt %t.open.mlir --pebble-order-operations=objective=peak 2>&1 | FileCheck %s

// CHECK: error: size of memref<?xf32> is not known; bound dynamic dimensions with dim-bound
func.func @main(%x: memref<4xf32> {llvm.noalias}, %first: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.cast %x : memref<4xf32> to memref<?xf32, strided<[?], offset: ?>>
  %s = memref.subview %v[1] [2] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
  %d = memref.cast %s : memref<2xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  %w = arith.select %first, %v, %d : memref<?xf32, strided<[?], offset: ?>>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %w) -> (memref<?xf32, strided<[?], offset: ?>>) {
    scf.yield %a : memref<?xf32, strided<[?], offset: ?>>
  }
  cf.br ^bb1
^bb1:
  %l = memref.load %r[%c1] : memref<?xf32, strided<[?], offset: ?>>
  return %l : f32
}

// Two loops of `scf.while`: what the condition hands on, and not what the loop
// began with, is what it ends with.
func.func @conditions(%x: memref<4xf32>, %y: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = memref.cast %x : memref<4xf32> to memref<?xf32>
  %w = memref.cast %y : memref<4xf32> to memref<?xf32>
  %r:3 = scf.while (%i = %c0, %a = %v, %b = %v) : (index, memref<?xf32>, memref<?xf32>) -> (index, memref<?xf32>, memref<?xf32>) {
    %more = arith.cmpi ult, %i, %c2 : index
    scf.condition(%more) %i, %w, %a : index, memref<?xf32>, memref<?xf32>
  } do {
  ^bb0(%i: index, %a: memref<?xf32>, %b: memref<?xf32>):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %b, %a : index, memref<?xf32>, memref<?xf32>
  }
  cf.br ^bb1
^bb1:
  %l = memref.load %r#1[%c1] : memref<?xf32>
  %m = memref.load %r#2[%c1] : memref<?xf32>
  %s = arith.addf %l, %m : f32
  return %s : f32
}
