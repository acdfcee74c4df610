// A loop that never runs writes nothing: its store may not be taken for one.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak
// EXPECT: 4
func.func @main() {
  %c0 = arith.constant 0 : index
  %four = arith.constant 4 : i32
  %nine = arith.constant 9 : i32
  %a = memref.alloc() : memref<1xi32>
  memref.store %four, %a[%c0] : memref<1xi32>
  affine.for %i = 0 to 0 {
    affine.store %nine, %a[0] : memref<1xi32>
  }
  %x = memref.load %a[%c0] : memref<1xi32>
  vector.print %x : i32
  return
}
