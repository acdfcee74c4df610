// An allocation begins where its alignment says, or there is an error.

// RUN: split-file %s %t
// RUN: pebble-run %t/aligned.mlir --output-dir=%t/out --json=%t/report.json
// RUN: %python %S/Inputs/npy.py show %t/out/result0.npy %t/out/result1.npy | FileCheck %s
// RUN: FileCheck %s --check-prefix=PEAK < %t/report.json
// RUN: pebble-opt %t/aligned.mlir --pebble-schedule=budget-percent=100 | pebble-run - --output-dir=%t/planned
// RUN: %python %S/Inputs/npy.py show %t/planned/result0.npy %t/planned/result1.npy | FileCheck %s
// RUN: pebble-opt %t/aligned.mlir --pebble-plan-addresses 2>&1 | pebble-run - --output-dir=%t/placed
// RUN: %python %S/Inputs/npy.py show %t/placed/result0.npy %t/placed/result1.npy | FileCheck %s

// CHECK: i8 () [0]
// CHECK: i8 () [0]
// PEAK: "peak_bytes": {
// PEAK-NEXT: "default": [[PEAK:[0-9]+]]
// PEAK: "predicted_peak_bytes": {
// PEAK-NEXT: "default": [[PEAK]]

//--- aligned.mlir
func.func @main(%x: tensor<48xf32>) -> (index, index, tensor<48xf32>) {
  %c0 = arith.constant 0 : index
  %page = arith.constant 4096 : index
  %large = arith.constant 65536 : index
  %one = arith.constant 1.0 : f32
  %p = memref.alloc() : memref<16xf32>
  %a = memref.alloc() {alignment = 4096 : i64} : memref<64xf32>
  %b = memref.alloca() {alignment = 65536 : i64} : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%p : memref<16xf32>)
  linalg.fill ins(%one : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%one : f32) outs(%b : memref<8xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  %j = memref.extract_aligned_pointer_as_index %b : memref<8xf32> -> index
  %r = arith.remui %i, %page : index
  %s = arith.remui %j, %large : index
  %u = memref.load %p[%c0] : memref<16xf32>
  %v = memref.load %a[%c0] : memref<64xf32>
  %w = memref.load %b[%c0] : memref<8xf32>
  %y = arith.addf %u, %v : f32
  %z = arith.addf %y, %w : f32
  %o = tensor.insert %z into %x[%c0] : tensor<48xf32>
  memref.dealloc %p : memref<16xf32>
  memref.dealloc %a : memref<64xf32>
  return %r, %s, %o : index, index, tensor<48xf32>
}
