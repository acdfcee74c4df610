// Who asks for the size of a buffer does not need it: it is made where it is
// first touched, so the two large ones are not there at one time.
// RUN: pebble-run %s --pebble-dim-bound=1024 --json=%t.json
// RUN: FileCheck %s < %t.json
// CHECK: "peak_bytes": {
// CHECK-NEXT: "default": 4096
// CHECK: "predicted_peak_bytes": {
// CHECK-NEXT: "default": 4096
func.func @main() -> index {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = arith.constant 1024 : index
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %size = memref.dim %b, %c0 : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<1024xf32>)
  memref.dealloc %a : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  memref.dealloc %b : memref<?xf32>
  return %size : index
}
