// A store through a view overwrites what a fill wrote to the whole.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// CHECK: before: peak 320{{$}}
// CHECK-NEXT: after: peak 320{{$}}
// EXPECT: 7
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %six = arith.constant 6.0 : f32
  %a = memref.alloc() : memref<8x8xf32>
  %out = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8x8xf32>)
  %v = memref.subview %a[2, 0] [1, 4] [1, 1] : memref<8x8xf32> to memref<4xf32, strided<[1], offset: 16>>
  linalg.fill ins(%six : f32) outs(%v : memref<4xf32, strided<[1], offset: 16>>)
  %row = memref.subview %a[3, 0] [1, 4] [1, 1] : memref<8x8xf32> to memref<4xf32, strided<[1], offset: 24>>
  linalg.add ins(%v, %row : memref<4xf32, strided<[1], offset: 16>>, memref<4xf32, strided<[1], offset: 24>>) outs(%out : memref<4xf32>)
  %r = memref.load %out[%c0] : memref<4xf32>
  vector.print %r : f32
  return
}
