// A write through the base buffer that extract_strided_metadata hands out.
// The large values are best made and used one after the other, which takes the
// write past the read of %a: an anti-dependence that only the hidden name shows.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// RUN: %python %S/../same-results.py %s -- --pebble-schedule=budget-percent=100
// CHECK: before: peak
// CHECK-NEXT: after: peak
func.func @main(%x: memref<4096xf32> {llvm.noalias}, %out: memref<64xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32>
  %other = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%other : memref<64xf32>)
  %base, %o, %s, %st = memref.extract_strided_metadata %a : memref<64xf32> -> memref<f32>, index, index, index
  %m = memref.reinterpret_cast %base to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
  %t = memref.alloc() : memref<4096xf32>
  linalg.exp ins(%x : memref<4096xf32>) outs(%t : memref<4096xf32>)
  %u = memref.alloc() : memref<4096xf32>
  linalg.negf ins(%x : memref<4096xf32>) outs(%u : memref<4096xf32>)
  %part = memref.subview %u[0] [64] [1] : memref<4096xf32> to memref<64xf32, strided<[1]>>
  linalg.add ins(%part, %a : memref<64xf32, strided<[1]>>, memref<64xf32>) outs(%out : memref<64xf32>)
  %v = memref.load %t[%c3] : memref<4096xf32>
  memref.store %v, %m[%c3] : memref<64xf32, strided<[1]>>
  linalg.add ins(%out, %a : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  memref.dealloc %t : memref<4096xf32>
  memref.dealloc %u : memref<4096xf32>
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %other : memref<64xf32>
  return
}
