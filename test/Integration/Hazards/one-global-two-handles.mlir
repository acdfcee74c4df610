// Two handles of one global are one buffer: the second handle must see what was
// written through the first, and no later write.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// CHECK: before: peak 0{{$}}
// CHECK-NEXT: after: peak 0{{$}}
// EXPECT: 11
// EXPECT: 12
memref.global "private" @g : memref<2xi32> = dense<[10, 20]>
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %a = memref.get_global @g : memref<2xi32>
  %x = memref.load %a[%c0] : memref<2xi32>
  %x1 = arith.addi %x, %one : i32
  memref.store %x1, %a[%c0] : memref<2xi32>
  %b = memref.get_global @g : memref<2xi32>
  %y = memref.load %b[%c0] : memref<2xi32>
  %y1 = arith.addi %y, %one : i32
  memref.store %y1, %a[%c0] : memref<2xi32>
  %z = memref.load %b[%c0] : memref<2xi32>
  vector.print %y : i32
  vector.print %z : i32
  return
}
