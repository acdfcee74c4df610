// A loop overwrites what each iteration of an earlier loop still reads: nothing
// but an anti-dependence keeps the two apart.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// CHECK: before: peak 128{{$}}
// CHECK-NEXT: after: peak 128{{$}}
// EXPECT: 12
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%two : f32) outs(%a : memref<4xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%c1] : memref<4xf32>
    %y = arith.mulf %x, %three : f32
    memref.store %y, %b[%i] : memref<4xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %b[%i] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<4xf32>
  }
  %r = memref.load %a[%c1] : memref<4xf32>
  vector.print %r : f32
  return
}
