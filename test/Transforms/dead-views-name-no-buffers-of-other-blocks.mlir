// A view that nobody uses names a buffer. It goes, and neither what the block holds nor
// which memory from elsewhere it names changes by that.
// RUN: pebble-opt %s --pebble-schedule="budget-percent=100" --pebble-verify-schedule | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule="budget-percent=100 means=recompute" --pebble-verify-schedule | FileCheck %s

// CHECK-LABEL: func.func @named_by_a_view_alone(
// CHECK: ^bb1
// CHECK-NOT: memref.reinterpret_cast
// CHECK: cf.br
func.func @named_by_a_view_alone(%c: i1, %out: memref<64xf32>, %x: f32) -> f32 {
  %i = arith.constant 3 : index
  %kept = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%kept : memref<64xf32>)
  cf.cond_br %c, ^left, ^right(%x : f32)
^left:
  %y = memref.load %kept[%i] : memref<64xf32>
  %back = arith.constant -1 : index
  %view = memref.reinterpret_cast %out to offset: [%i], sizes: [2], strides: [%back]
      : memref<64xf32> to memref<2xf32, strided<[?], offset: ?>>
  cf.br ^right(%y : f32)
^right(%z: f32):
  memref.store %z, %out[%i] : memref<64xf32>
  return %z : f32
}

// The buffer goes along by its name; the dead cast does not say what is in it.
// CHECK-LABEL: func.func @passed_on(
// CHECK-NOT: memref.cast
// CHECK: return
func.func @passed_on(%c: i1, %p: memref<4xf32>, %x: f32) -> f32 {
  %i = arith.constant 1 : index
  %made = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%made : memref<4xf32>)
  cf.cond_br %c, ^left(%p : memref<4xf32>), ^right(%made : memref<4xf32>)
^left(%q: memref<4xf32>):
  %cast = memref.cast %made : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  cf.br ^right(%made : memref<4xf32>)
^right(%r: memref<4xf32>):
  %y = memref.load %r[%i] : memref<4xf32>
  return %y : f32
}
