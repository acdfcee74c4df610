// A loop that surely runs ends with what it yields. The buffer that it began with
// is free after it, in the prediction and in the run.

// RUN: split-file %s %t
// RUN: pebble-run %t/scf.mlir --poison --json=- | FileCheck %s --check-prefix=FREE
// RUN: pebble-run %t/affine.mlir --poison --json=- | FileCheck %s --check-prefix=FREE
// RUN: pebble-run %t/may-not-run.mlir --poison --json=- | FileCheck %s --check-prefix=HELD

// FREE:      "peak_bytes": {
// FREE-NEXT:   "default": 4160
// FREE:      "predicted_peak_bytes": {
// FREE-NEXT:   "default": 4160

// HELD:      "peak_bytes": {
// HELD-NEXT:   "default": 6208
// HELD:      "predicted_peak_bytes": {
// HELD-NEXT:   "default": 6208

//--- scf.mlir
func.func @main(%out: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %first = memref.alloc() : memref<512xf32>
  linalg.fill ins(%one : f32) outs(%first : memref<512xf32>)
  %other = memref.alloc() : memref<512xf32>
  linalg.fill ins(%one : f32) outs(%other : memref<512xf32>)
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%now = %first) -> memref<512xf32> {
    scf.yield %other : memref<512xf32>
  }
  %third = memref.alloc() : memref<512xf32>
  linalg.fill ins(%one : f32) outs(%third : memref<512xf32>)
  linalg.add ins(%third, %third : memref<512xf32>, memref<512xf32>) outs(%last : memref<512xf32>)
  return
}

//--- affine.mlir
func.func @main(%out: memref<8xi64>) {
  %one = arith.constant 1.0 : f32
  %first = memref.alloc() : memref<512xf32>
  linalg.fill ins(%one : f32) outs(%first : memref<512xf32>)
  %other = memref.alloc() : memref<512xf32>
  linalg.fill ins(%one : f32) outs(%other : memref<512xf32>)
  %last = affine.for %i = 0 to 3 iter_args(%now = %first) -> memref<512xf32> {
    affine.yield %other : memref<512xf32>
  }
  %third = memref.alloc() : memref<512xf32>
  linalg.fill ins(%one : f32) outs(%third : memref<512xf32>)
  linalg.add ins(%third, %third : memref<512xf32>, memref<512xf32>) outs(%last : memref<512xf32>)
  return
}

//--- may-not-run.mlir
func.func @main(%out: memref<8xi64>, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %first = memref.alloc() : memref<512xf32>
  linalg.fill ins(%one : f32) outs(%first : memref<512xf32>)
  %other = memref.alloc() : memref<512xf32>
  linalg.fill ins(%one : f32) outs(%other : memref<512xf32>)
  %last = scf.for %i = %c0 to %count step %c1 iter_args(%now = %first) -> memref<512xf32> {
    scf.yield %other : memref<512xf32>
  }
  %third = memref.alloc() : memref<512xf32>
  linalg.fill ins(%one : f32) outs(%third : memref<512xf32>)
  linalg.add ins(%third, %third : memref<512xf32>, memref<512xf32>) outs(%last : memref<512xf32>)
  return
}
