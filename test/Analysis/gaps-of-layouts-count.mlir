// A buffer is as large as its layout reaches.
// RUN: pebble-opt --pebble-print-storage %s -o /dev/null | FileCheck %s

#tiles = affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: storage of @gaps_count
func.func @gaps_count(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %c5 = arith.constant 5 : index
  // CHECK: local %a: 160 bytes
  %a = memref.alloc() : memref<4x6xf32, strided<[9, 1], offset: 7>>
  // CHECK: local %b: 24 bytes
  %b = memref.alloc() : memref<4x6xf32, strided<[0, 1]>>
  // CHECK: local %c: 96 bytes
  %c = memref.alloc() : memref<4x6xf32, strided<[6, -1], offset: 5>>
  // CHECK: local %d: 152 bytes
  %d = memref.alloc()[%c5, %c9] : memref<4x6xf32, strided<[?, 1], offset: ?>>
  // CHECK: local %e: 0 bytes
  %e = memref.alloc() : memref<0x6xf32, strided<[9, 1], offset: 7>>
  // CHECK: local %f: 24 bytes
  %f = memref.alloc() : memref<5xf32, #tiles>
  // CHECK: local %g: 96 bytes
  %g = memref.alloca() : memref<4x6xf32, #turned>
  memref.store %x, %a[%c0, %c0] : memref<4x6xf32, strided<[9, 1], offset: 7>>
  memref.store %x, %b[%c0, %c0] : memref<4x6xf32, strided<[0, 1]>>
  memref.store %x, %c[%c0, %c0] : memref<4x6xf32, strided<[6, -1], offset: 5>>
  memref.store %x, %d[%c0, %c0] : memref<4x6xf32, strided<[?, 1], offset: ?>>
  return
}
