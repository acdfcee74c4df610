// RUN: pebble-opt --pebble-decompose --split-input-file --verify-diagnostics %s | FileCheck %s

// What upstream has no strides for lies in memory as its map says.
#turned = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-LABEL: @a_turned_buffer_is_a_view_of_a_plain_one
// CHECK-SAME: memref<?x6x?xf32, strided<[1, ?, ?]>>
func.func @a_turned_buffer_is_a_view_of_a_plain_one(%x: memref<?x6x?xf32, #turned>, %m: index, %n: index) {
  // CHECK: %[[PLAIN:.*]] = memref.alloc(%{{.*}}, %{{.*}}) {pebble.name = "a"} : memref<6x?x?xf32>
  // CHECK: memref.transpose %[[PLAIN]] (d0, d1, d2) -> (d2, d0, d1) : memref<6x?x?xf32> to memref<?x6x?xf32, strided<[1, ?, ?]>>
  %a = memref.alloc(%m, %n) {pebble.name = "a"} : memref<?x6x?xf32, #turned>
  memref.copy %x, %a : memref<?x6x?xf32, #turned> to memref<?x6x?xf32, #turned>
  return
}

// -----

#open = affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + d1 * 2 + s1 + 1)>
// CHECK-LABEL: @an_offset_comes_before_strides
func.func @an_offset_comes_before_strides(%m: index, %n: index) {
  // CHECK: %[[OFFSET:.*]] = arith.addi
  // CHECK: memref.alloca()[%[[OFFSET]], %arg0] : memref<2x3xf32, strided<[?, 2], offset: ?>>
  %a = memref.alloca()[%m, %n] : memref<2x3xf32, #open>
  return
}

// -----

#tiles = affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>
// CHECK-LABEL: @tiles_are_dimensions
func.func @tiles_are_dimensions(%x: f32) {
  // CHECK: memref.alloc() : memref<3x2xf32>
  %a = memref.alloc() : memref<5xf32, #tiles>
  affine.store %x, %a[3] : memref<5xf32, #tiles>
  return
}

// -----

func.func @elements_before_the_buffer() {
  // expected-error @below {{elements lie before the buffer that is allocated for them}}
  %a = memref.alloc() : memref<4xf32, strided<[-1], offset: 2>>
  return
}

// -----

func.func @elements_too_far_away() {
  // expected-error @below {{the layout reaches further than can be counted in bytes}}
  %a = memref.alloca() : memref<4xf32, strided<[4611686018427387904]>>
  return
}
