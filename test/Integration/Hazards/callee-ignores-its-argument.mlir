// The callee returns a buffer of its own and ignores the one that it is handed:
// each is freed once, and the ignored one is live while the call runs.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// CHECK: before: peak 128
// CHECK: after: peak 128
// EXPECT: 5
func.func private @fresh(%ignored: memref<4xf32>) -> memref<4xf32> {
  %five = arith.constant 5.0 : f32
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%five : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %r = call @fresh(%a) : (memref<4xf32>) -> memref<4xf32>
  %x = memref.load %r[%c0] : memref<4xf32>
  vector.print %x : f32
  return
}
