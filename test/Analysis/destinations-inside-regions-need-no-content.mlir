// A destination that is only written needs no content inside of a region
// either: what it held may be gone by then, and another buffer takes its place.
// RUN: pebble-opt %s --pebble-print-storage -o /dev/null | FileCheck %s
// RUN: pebble-run %s --poison --seed=3 --json=%t.json
// RUN: FileCheck %s --check-prefix=PEAK < %t.json
// RUN: pebble-opt %s --pebble-order-operations=objective=peak -o %t.mlir
// RUN: pebble-run %t.mlir --poison --seed=3 --json=%t.ordered.json
// RUN: grep sha256 %t.json > %t.sum
// RUN: grep sha256 %t.ordered.json | diff - %t.sum
// RUN: sed 's/in, .in : f32/in, %%out : f32/' %s | pebble-opt --pebble-print-storage -o /dev/null | FileCheck %s --check-prefix=READ

// CHECK: scf.for %{{.*}}: reads s1, writes s1
// CHECK: scf.for %{{.*}}: reads s1, writes s1
// CHECK: scf.if at destinations-inside-regions-need-no-content.mlir:[[@LINE+28]]: reads s1, writes s{{[0-9]+}} (4 bytes)
// READ: scf.for %{{.*}}: reads s1, writes s1
// READ: scf.for %{{.*}}: reads s1, writes s[[NEW:[0-9]+]]
// READ: scf.if {{.*}}: reads s[[NEW]], reads s1, writes s{{[0-9]+}} (4 bytes)
// PEAK: "peak_bytes": {
// PEAK-NEXT: "default": 256
// PEAK: "predicted_peak_bytes": {
// PEAK-NEXT: "default": 256
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32>, %c: i1, %n: index) -> (tensor<8xf32>, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %f = arith.constant 1.5 : f32
  %e = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%e : memref<8xf32>)
  %t = bufferization.to_tensor %e restrict writable : memref<8xf32> to tensor<8xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%b = %t) -> (tensor<8xf32>) {
    %k = arith.constant dense<0.5> : tensor<8xf32>
    %u = arith.mulf %b, %k : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %s = scf.for %i = %zero to %n step %one iter_args(%b = %r) -> (tensor<8xf32>) {
    %k = arith.constant dense<0.5> : tensor<8xf32>
    %u = arith.mulf %b, %k : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<4xf32>)
  scf.if %c {
    %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%s : tensor<8xf32>) outs(%r : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = arith.mulf %in, %in : f32
      linalg.yield %v : f32
    } -> tensor<8xf32>
    %v = tensor.extract %w[%one] : tensor<8xf32>
    memref.store %v, %m[%one] : memref<4xf32>
  }
  %l = memref.load %m[%one] : memref<4xf32>
  return %x, %l : tensor<8xf32>, f32
}
