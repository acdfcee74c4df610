// A program with a size that nobody knows runs: only what it takes is not known
// before. With a bound it is.
// RUN: pebble-run %s --json=%t.json 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: pebble-run %s --dim-bound=8 --json=%t.bound.json
// RUN: grep sha256 %t.json > %t.sum && grep sha256 %t.bound.json | diff - %t.sum
// RUN: FileCheck %s --check-prefix=BOUND < %t.bound.json
// RUN: pebble-run %s --entry=blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS

// CHECK: [[#@LINE+12]]:8: warning: size of tensor<?xf32> is not known; bound dynamic dimensions with dim-bound; no memory is predicted
// CHECK-NOT: as predicted
// JSON-DAG: "predicted_is_known": false
// JSON-DAG: "default": 128
// BOUND: "default": 128
// BOUND-NOT: "predicted_is_known": false
// BLOCKS: warning: size of memref<?xf32> is not known; bound dynamic dimensions with dim-bound; no memory is predicted
// BLOCKS: pebble-run: @blocks
func.func @main(%x: tensor<8xf32>, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %v = tensor.extract %x[%n] : tensor<8xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.extract %f[%zero] : tensor<?xf32>
  return %r : f32
}
func.func @blocks(%n: index, %k: i1) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc(%n) : memref<?xf32>
  memref.store %one, %m[%zero] : memref<?xf32>
  cf.cond_br %k, ^a, ^b
^a:
  memref.store %one, %m[%zero] : memref<?xf32>
  cf.br ^b
^b:
  %r = memref.load %m[%zero] : memref<?xf32>
  memref.dealloc %m : memref<?xf32>
  return %r : f32
}
