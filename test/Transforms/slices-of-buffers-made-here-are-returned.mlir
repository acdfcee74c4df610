// A buffer that the program made and returns as a tensor is seen as that tensor
// alone. A slice of it is copied on the way out, which changes nothing that
// others see.
// RUN: pebble-run %s --seed=3 --poison --output-dir=%t.before --json=%t.json
// RUN: FileCheck %s < %t.json
// RUN: pebble-opt %s --pebble-order-operations -cse -canonicalize | pebble-run - --seed=3 --poison --output-dir=%t.after
// RUN: diff -r %t.before %t.after
// RUN: pebble-opt %s --pebble-decompose --pebble-materialize-storage | FileCheck %s --check-prefix=COPY

// CHECK:      "peak_bytes": {
// CHECK-NEXT:   "default": 1280
// CHECK:      "predicted_peak_bytes": {
// CHECK-NEXT:   "default": 1280

// COPY: %[[SLICE:.*]] = tensor.extract_slice
// COPY: %[[OWN:.*]] = bufferization.alloc_tensor() copy(%[[SLICE]])
// COPY: return %[[OWN]]

func.func @main(%f: f32) -> tensor<8x7xf32> {
  %b = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16x16xf32>)
  %t = bufferization.to_tensor %b restrict writable : memref<16x16xf32> to tensor<16x16xf32>
  %s = tensor.extract_slice %t[7, 6] [8, 7] [1, 1] : tensor<16x16xf32> to tensor<8x7xf32>
  return %s : tensor<8x7xf32>
}
