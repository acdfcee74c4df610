// Machines compare and exchange integers. Floats are updated as their bits;
// what has more or fewer bits than a machine exchanges is an error at its place.
// RUN: split-file %s %t
// RUN: pebble-run %t/floats.mlir --output-dir=%t/out --json=%t.json
// RUN: pebble-opt %t/floats.mlir --pebble-to-llvm | FileCheck %s
// RUN: pebble-run %t/plain.mlir --json=%t.plain.json
// RUN: grep sha256 %t.plain.json > %t.sum && grep sha256 %t.json | diff - %t.sum
// RUN: not pebble-run %t/bits.mlir 2>&1 | FileCheck %s --check-prefix=BITS

// CHECK-COUNT-3: llvm.cmpxchg
// BITS: bits.mlir:3:8: error: elements of type 'i1' cannot be updated atomically: that takes an integer or a float of 8, 16, 32 or 64 bits
// BITS: note: this operation can be analysed but not run

//--- floats.mlir
func.func @main(%m: memref<8xf32>, %d: memref<2x4xf64>, %h: memref<4xf16>, %x: f32) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %d[0, 1] [2, 2] [1, 2] : memref<2x4xf64> to memref<2x2xf64, strided<[4, 2], offset: 1>>
  %r = memref.generic_atomic_rmw %m[%c1] : memref<8xf32> {
  ^bb0(%old: f32):
    %p = arith.mulf %old, %x : f32
    %s = arith.addf %p, %old : f32
    memref.atomic_yield %s : f32
  }
  %q = memref.generic_atomic_rmw %v[%c1, %c1] : memref<2x2xf64, strided<[4, 2], offset: 1>> {
  ^bb0(%old: f64):
    %s = arith.divf %old, %old : f64
    memref.atomic_yield %s : f64
  }
  %k = memref.generic_atomic_rmw %h[%c1] : memref<4xf16> {
  ^bb0(%old: f16):
    %s = arith.negf %old : f16
    memref.atomic_yield %s : f16
  }
  return
}

//--- plain.mlir
func.func @main(%m: memref<8xf32>, %d: memref<2x4xf64>, %h: memref<4xf16>, %x: f32) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %old = memref.load %m[%c1] : memref<8xf32>
  %p = arith.mulf %old, %x : f32
  %s = arith.addf %p, %old : f32
  memref.store %s, %m[%c1] : memref<8xf32>
  %wide = memref.load %d[%c1, %c3] : memref<2x4xf64>
  %one = arith.divf %wide, %wide : f64
  memref.store %one, %d[%c1, %c3] : memref<2x4xf64>
  %half = memref.load %h[%c1] : memref<4xf16>
  %minus = arith.negf %half : f16
  memref.store %minus, %h[%c1] : memref<4xf16>
  return
}

//--- bits.mlir
func.func @main(%m: memref<8xi1>, %k: i1) {
  %c1 = arith.constant 1 : index
  %r = memref.generic_atomic_rmw %m[%c1] : memref<8xi1> {
  ^bb0(%old: i1):
    %n = arith.xori %old, %k : i1
    memref.atomic_yield %n : i1
  }
  return
}
