// An argument's memory holds all elements that its layout reaches, whichever
// way its strides go: from the lowest one to the highest one, and no more.

// RUN: split-file %s %t
// RUN: pebble-run %t/reversed.mlir --json=%t/reversed.json --output-dir=%t/out
// RUN: FileCheck %s --check-prefix=JSON < %t/reversed.json
// RUN: %python %S/Inputs/npy.py show %t/out/result0.npy | FileCheck %s --check-prefix=RESULT
// RUN: pebble-run %t/reversed.mlir --poison
// RUN: pebble-run %t/far.mlir --json=%t/far.json
// RUN: FileCheck %s --check-prefix=FAR < %t/far.json
// RUN: pebble-run %t/below.mlir --json=%t/below.json
// RUN: FileCheck %s --check-prefix=BELOW < %t/below.json
// RUN: not pebble-run %t/beyond.mlir 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not pebble-run %t/huge.mlir 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: pebble-run %t/alone.mlir

// Row-major in what is written out, backwards in memory: the first element is
// 8, and the program writes 40 into the last.
// JSON: "peak_bytes": {
// JSON-NEXT: "default": 128
// JSON: "predicted_peak_bytes": {
// JSON-NEXT: "default": 128
// RESULT: i4 (4,) [8, {{[0-9]}}, {{[0-9]}}, 40]

// What lies below the first element is no memory of the argument.
// FAR: "peak_bytes": {
// FAR-NEXT: "default": 64
// FAR: "predicted_peak_bytes": {
// FAR-NEXT: "default": 64

// BELOW: "peak_bytes": {
// BELOW-NEXT: "default": 12096
// BELOW: "predicted_peak_bytes": {
// BELOW-NEXT: "default": 12096

// BEYOND: beyond.mlir:1:{{.*}} warning: size of memref<4xf32, strided<[6148914691236517205]>> is too large to count
// BEYOND: error: argument 0: reaches further than can be counted in bytes
// HUGE: error: argument 0: tier 'default' cannot supply {{[0-9]+}} bytes: this machine has less memory

//--- reversed.mlir
func.func @main(%a: memref<4xi32, strided<[-1], offset: 3>>) -> memref<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %eight = arith.constant 8 : i32
  %ten = arith.constant 10 : i32
  memref.store %eight, %a[%c0] : memref<4xi32, strided<[-1], offset: 3>>
  memref.store %ten, %a[%c3] : memref<4xi32, strided<[-1], offset: 3>>
  %b = memref.alloc() : memref<4xi32>
  memref.copy %a, %b : memref<4xi32, strided<[-1], offset: 3>> to memref<4xi32>
  %v = memref.load %b[%c3] : memref<4xi32>
  %four = arith.constant 4 : i32
  %w = arith.muli %v, %four : i32
  memref.store %w, %b[%c3] : memref<4xi32>
  return %b : memref<4xi32>
}
//--- far.mlir
func.func @main(%a: memref<4xf32, strided<[1], offset: 1000000000000>>) {
  %c = arith.constant 3 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %a[%c] : memref<4xf32, strided<[1], offset: 1000000000000>>
  return
}
//--- below.mlir
func.func @main(%a: memref<4xf32, strided<[-1000], offset: 3>>) {
  %c = arith.constant 3 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %a[%c] : memref<4xf32, strided<[-1000], offset: 3>>
  return
}
//--- beyond.mlir
func.func @main(%a: memref<4xf32, strided<[6148914691236517205]>>) {
  return
}
//--- huge.mlir
func.func @main(%a: memref<2xf32, strided<[1000000000000000]>>) {
  return
}
//--- alone.mlir
// The stride of one element is of no account.
func.func @main(%a: memref<1xf32, strided<[9223372036854775807]>>) {
  %c = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  memref.store %v, %a[%c] : memref<1xf32, strided<[9223372036854775807]>>
  return
}
