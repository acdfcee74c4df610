// A loop of `affine` that runs once says that nothing goes round in it. What
// its results may be, and so when their buffers are freed, is told as of any
// loop all the same: it is lowered to one that says less.
// RUN: pebble-opt %s --pebble-print-storage 2>&1 | FileCheck %s
// RUN: pebble-run %s --poison --json=- | FileCheck %s --check-prefix=PEAK

// CHECK-LABEL: storage of @main:
// CHECK: scf.execute_region %{{.*}}: holds s0, holds s1
// PEAK: "peak_bytes": {
// PEAK-NEXT: "default": 2176
// PEAK: "predicted_peak_bytes": {
// PEAK-NEXT: "default": 2176
func.func @main(%x: memref<1024xi8> {llvm.noalias}) {
  %m = memref.alloc() : memref<1024xi8>
  %k = arith.constant 64 : i8
  linalg.fill ins(%k : i8) outs(%m : memref<1024xi8>)
  %r:2 = affine.for %i = 0 to 1 step 1 iter_args(%a = %x, %b = %m)
      -> (memref<1024xi8>, memref<1024xi8>) {
    affine.yield %b, %a : memref<1024xi8>, memref<1024xi8>
  }
  %p = scf.execute_region -> memref<1024xi8> {
    %n = memref.alloc() : memref<4x4xi64>
    %one = arith.constant 1 : i64
    linalg.fill ins(%one : i64) outs(%n : memref<4x4xi64>)
    scf.yield %r#1 : memref<1024xi8>
  }
  return
}
