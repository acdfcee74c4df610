// A loop hands a buffer of its own from iteration to iteration: two are live at
// once, the one that is read and the one that is written, beside the argument.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// CHECK: before: peak 192
// CHECK: after: peak 192
func.func @main(%a: memref<16xf32>) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %x = memref.alloc() : memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%y = %x) -> memref<16xf32> {
    %z = memref.alloc() : memref<16xf32>
    linalg.exp ins(%y : memref<16xf32>) outs(%z : memref<16xf32>)
    scf.yield %z : memref<16xf32>
  }
  return %r : memref<16xf32>
}
