// Upstream rewrites loads and stores of a layout without strides, and copies not.
// RUN: not pebble-run %s --entry=copied 2>&1 | FileCheck %s --check-prefix=COPIED
// RUN: not pebble-run %s --entry=given 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: not pebble-opt %s --pebble-order-operations 2>&1 | FileCheck %s --check-prefix=SIZE

#tiles = affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>
func.func @copied(%x: memref<4xf32>) {
  // COPIED: [[#@LINE+2]]:8: error: failed to legalize operation 'memref.alloc'
  // COPIED: note: this operation can be analysed but not run
  %a = memref.alloc() : memref<4xf32, #tiles>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32, #tiles>
  return
}

// GIVEN: [[#@LINE+1]]:1: error: argument 0 is of type 'memref<4xf32, {{.*}}>', which cannot be generated
func.func @given(%a: memref<4xf32, #tiles>) {
  return
}

func.func @open(%n: index, %f: f32) {
  // SIZE: [[#@LINE+1]]:8: error: size of memref<4xf32, strided<[?]>> is not known, for that of its layout is not
  %a = memref.alloc()[%n] : memref<4xf32, strided<[?]>>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32, strided<[?]>>)
  return
}
