// What the program computes, what it wrote, and what it took.
// RUN: rm -rf %t && pebble-run %s --entry=scale --output-dir=%t --json=%t.json
// RUN: FileCheck %s --input-file=%t.json --check-prefix=SCALE
// RUN: %python %S/Inputs/npy.py show %t/result0.npy | FileCheck %s --check-prefix=RESULT
// The result and the argument are live together: 2 x 64 bytes.
// SCALE: "results_sha256": "[[HASH:[0-9a-f]+]]"
// SCALE: "peak_bytes": {
// SCALE-NEXT: "default": 128
// SCALE: "moved_bytes": {}
// SCALE: "predicted_peak_bytes": {
// SCALE-NEXT: "default": 128
// SCALE: "predicted_moved_bytes": {}
// SCALE: "seconds":
// Integers drawn from [10, 11) doubled: 20.
// RESULT: i4 (3,) [20, 20, 20]
func.func @scale(%x: tensor<3xi32> {pebble.range = [10, 11]}) -> tensor<3xi32> {
  %two = arith.constant 2 : i32
  %d = tensor.empty() : tensor<3xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3xi32>) outs(%d : tensor<3xi32>) {
  ^bb0(%a: i32, %b: i32):
    %m = arith.muli %a, %two : i32
    linalg.yield %m : i32
  } -> tensor<3xi32>
  return %y : tensor<3xi32>
}

// Memref arguments are read back if the source writes them, and only then.
// RUN: rm -rf %t && pebble-run %s --entry=write --output-dir=%t && ls %t | FileCheck %s --check-prefix=WRITTEN
// RUN: %python %S/Inputs/npy.py show %t/argument1.npy | FileCheck %s --check-prefix=COPIED
// WRITTEN-NOT: argument0
// WRITTEN: argument1.npy
// COPIED: i4 (2, 2) [7, 7, 7, 7]
func.func @write(%from: memref<2x2xi32> {pebble.range = [7, 8]}, %to: memref<2x2xi32>) {
  memref.copy %from, %to : memref<2x2xi32> to memref<2x2xi32>
  return
}

// Data from files, by argument number; a strided result is read through its strides.
// RUN: %python %S/Inputs/npy.py write %t.npy i4 2,3 1,2,3,4,5,6
// RUN: rm -rf %t && pebble-run %s --entry=column --input=0:%t.npy --output-dir=%t
// RUN: %python %S/Inputs/npy.py show %t/result0.npy | FileCheck %s --check-prefix=COLUMN
// COLUMN: i4 (2, 1) [2, 5]
func.func @column(%x: memref<2x3xi32>) -> memref<2x1xi32, strided<[3, 1], offset: 1>> {
  %c = memref.subview %x[0, 1] [2, 1] [1, 1] : memref<2x3xi32> to memref<2x1xi32, strided<[3, 1], offset: 1>>
  return %c : memref<2x1xi32, strided<[3, 1], offset: 1>>
}

// Scalars go in and come out; several results come out in their places.
// RUN: rm -rf %t && pebble-run %s --entry=scalars --output-dir=%t
// RUN: %python %S/Inputs/npy.py show %t/result0.npy %t/result1.npy %t/result2.npy %t/result3.npy | FileCheck %s --check-prefix=SCALARS
// SCALARS: b1 () [True]
// SCALARS-NEXT: f4 () [0.5]
// SCALARS-NEXT: i8 () [4]
// SCALARS-NEXT: f8 (1,) [0.25]
func.func @scalars(%i: index) -> (i1, f32, index, tensor<1xf64>) {
  %true = arith.constant true
  %f = arith.constant 0.5 : f32
  %g = arith.constant 0.25 : f64
  %t = tensor.splat %g : tensor<1xf64>
  return %true, %f, %i, %t : i1, f32, index, tensor<1xf64>
}

// A donated argument that comes back as the result is freed once.
// RUN: pebble-run %s --entry=back --json=%t.json && FileCheck %s --input-file=%t.json --check-prefix=BACK
// BACK: "default": 64
func.func @back(%x: tensor<4xf32> {pebble.donated}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

