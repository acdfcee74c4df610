// A loop of `affine` that never runs says that nothing comes out of its body.
// What its results may be, and so when their buffers are freed, is told as of
// any loop all the same: it is lowered to one that says less.
// RUN: pebble-opt %s --pebble-print-storage 2>&1 | FileCheck %s
// RUN: pebble-run %s --poison --json=- | FileCheck %s --check-prefix=PEAK

// CHECK-LABEL: storage of @main:
// CHECK: step {{[0-9]+}} affine.for %{{.*}}: holds s0, holds s1
// CHECK: step {{[0-9]+}} memref.store {{.*}}: writes s{{[01]}} (4 bytes), writes s{{[01]}} (4 bytes)
// PEAK: "peak_bytes": {
// PEAK-NEXT: "default": 3072
// PEAK: "predicted_peak_bytes": {
// PEAK-NEXT: "default": 3072
func.func @main(%f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<256xf32>)
  %n = memref.alloc() : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%n : memref<256xf32>)
  %r = affine.for %i = 1 to 1 step 2 iter_args(%a = %m) -> memref<256xf32> {
    affine.yield %n : memref<256xf32>
  }
  %last = memref.alloc() : memref<256xf32>
  linalg.fill ins(%f : f32) outs(%last : memref<256xf32>)
  %v = memref.load %last[%c0] : memref<256xf32>
  memref.store %v, %r[%c0] : memref<256xf32>
  return %v : f32
}
