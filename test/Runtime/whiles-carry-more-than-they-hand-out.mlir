// A loop forwards what it carries in any order. A buffer that it makes may stay
// for two iterations more before it is dropped, so that the loop holds more of
// them than it hands out.
// RUN: pebble-run %s --poison --json=- | FileCheck %s
// RUN: pebble-opt %s --pebble-order-operations | pebble-run - --poison --json=- | FileCheck %s

// CHECK:      "peak_bytes": {
// CHECK-NEXT:   "default": 20544
// CHECK:      "predicted_peak_bytes": {
// CHECK-NEXT:   "default": 20544
// CHECK:      "predicted_is_bound": true
func.func @main(%out: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<1024xf32>)
  %y = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%y : memref<1024xf32>)
  %r:3 = scf.while (%i = %c0, %a = %x, %b = %y, %c = %y) : (index, memref<1024xf32>, memref<1024xf32>, memref<1024xf32>) -> (index, memref<1024xf32>, memref<1024xf32>) {
    %t = memref.alloc() : memref<1024xf32>
    linalg.exp ins(%a : memref<1024xf32>) outs(%t : memref<1024xf32>)
    linalg.add ins(%t, %b : memref<1024xf32>, memref<1024xf32>) outs(%c : memref<1024xf32>)
    %more = arith.cmpi ult, %i, %c4 : index
    scf.condition(%more) %i, %a, %b : index, memref<1024xf32>, memref<1024xf32>
  } do {
  ^bb0(%i: index, %a: memref<1024xf32>, %b: memref<1024xf32>):
    %next = arith.addi %i, %c1 : index
    %new = memref.alloc() : memref<1024xf32>
    linalg.fill ins(%one : f32) outs(%new : memref<1024xf32>)
    scf.yield %next, %a, %new, %b : index, memref<1024xf32>, memref<1024xf32>, memref<1024xf32>
  }
  %v = memref.load %r#2[%c1] : memref<1024xf32>
  memref.store %v, %out[%c0] : memref<1xf32>
  return
}
