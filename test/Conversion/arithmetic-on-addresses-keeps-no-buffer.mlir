// A number that was an address may be computed with after the buffer has ended. The
// plan counts the buffer until it is last touched, and so does the run.
// RUN: pebble-run %s --json=%t.json
// RUN: FileCheck %s < %t.json
// RUN: pebble-opt %s --pebble-schedule=budget=min -o %t.mlir
// RUN: pebble-run %t.mlir --json=%t.planned.json
// RUN: FileCheck %s < %t.planned.json
// CHECK: "peak_bytes": {
// CHECK-NEXT: "default": [[PEAK:[0-9]+]]
// CHECK: "predicted_peak_bytes": {
// CHECK-NEXT: "default": [[PEAK]]
func.func @main(%x: tensor<48xf32>) -> (index, tensor<48xf32>) {
  %c4096 = arith.constant 4096 : index
  %c0 = arith.constant 0 : index
  %z = arith.constant 1.0 : f32
  %a = memref.alloc() {alignment = 4096 : i64} : memref<64xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<64xf32>)
  %v = memref.load %a[%c0] : memref<64xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  memref.dealloc %a : memref<64xf32>
  %o = tensor.insert %v into %x[%c0] : tensor<48xf32>
  %r = arith.remui %i, %c4096 : index
  return %r, %o : index, tensor<48xf32>
}
