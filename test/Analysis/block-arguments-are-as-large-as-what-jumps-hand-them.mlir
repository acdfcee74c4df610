// The type of a block's argument may leave its size open where the buffers that
// jumps hand it are known: it takes as much as the largest of them.
// RUN: not pebble-opt %s --pebble-schedule=budget-bytes=1 2>&1 | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule=budget-bytes=192 -o %t.mlir
// RUN: pebble-run %t.mlir --poison --json=- | FileCheck %s --check-prefix=PEAK
// RUN: pebble-opt %s --pebble-order-operations=objective=peak -o /dev/null
// RUN: sed 's/memref<16xf32>/memref<?xf32>/g' %s > %t.open.mlir
// RUN: not pebble-opt %t.open.mlir --pebble-order-operations=objective=peak 2>&1 | FileCheck %s --check-prefix=OPEN

// CHECK: note: its peak is at 'linalg.fill {{.*}}' with %y (64 bytes, belongs to the caller), %m (64 bytes, made here) live, and 64 bytes around the block
// What jumps may hand on is the caller's, and there throughout.
// PEAK: "peak_bytes": {
// PEAK-NEXT: "default": 192
// PEAK: "predicted_peak_bytes": {
// PEAK-NEXT: "default": 192
// OPEN: error: size of memref<?xf32> is not known; bound dynamic dimensions with dim-bound
func.func @main(%p: memref<16xf32>, %q: memref<4xf32>, %c: i1) {
  %s = memref.cast %p : memref<16xf32> to memref<?xf32, strided<[?], offset: ?>>
  %t = memref.cast %q : memref<4xf32> to memref<?xf32, strided<[?], offset: ?>>
  cf.cond_br %c, ^one(%s : memref<?xf32, strided<[?], offset: ?>>), ^two(%t : memref<?xf32, strided<[?], offset: ?>>)
^one(%x: memref<?xf32, strided<[?], offset: ?>>):
  cf.br ^two(%x : memref<?xf32, strided<[?], offset: ?>>)
^two(%y: memref<?xf32, strided<[?], offset: ?>>):
  %z = arith.constant 0 : index
  %v = memref.load %y[%z] : memref<?xf32, strided<[?], offset: ?>>
  %m = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<8xf32>)
  %w = memref.load %m[%z] : memref<8xf32>
  memref.store %w, %y[%z] : memref<?xf32, strided<[?], offset: ?>>
  return
}
