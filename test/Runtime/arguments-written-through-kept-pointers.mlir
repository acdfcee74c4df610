// The address of an argument is kept in memory and found there. A write through it
// may write the argument, so the argument is written out and hashed. The other two
// are as they were: %b may be no such memory, and nobody writes %c.
// RUN: rm -rf %t && pebble-run %s --output-dir=%t --json=%t.json && ls %t | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 -o %t.planned.mlir
// RUN: pebble-run %t.planned.mlir --json=%t.after.json
// RUN: grep sha256 %t.json > %t.before && grep sha256 %t.after.json > %t.after && diff %t.before %t.after

// CHECK: argument0.npy
// CHECK-NOT: argument
// CHECK: result0.npy
func.func @main(%a: memref<8xf32>, %b: memref<8xf32> {llvm.noalias}, %c: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %kept = memref.alloc() : memref<2xindex>
  %address = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  memref.store %address, %kept[%c1] : memref<2xindex>
  %v = memref.load %b[%c1] : memref<8xf32>
  %found = memref.load %kept[%c1] : memref<2xindex>
  %number = arith.index_cast %found : index to i64
  %p = llvm.inttoptr %number : i64 to !llvm.ptr
  llvm.store %v, %p : f32, !llvm.ptr
  %w = memref.load %a[%c0] : memref<8xf32>
  memref.dealloc %kept : memref<2xindex>
  return %w : f32
}
