// Tiles whose size only the run knows, which upstream does not lower. Padding is
// what the source does not have. In memory are the two results alone.

// RUN: pebble-run %s --pebble-dim-bound=4 --output-dir=%t --json=%t.json
// RUN: %python %S/Inputs/npy.py show %t/result0.npy %t/result1.npy | FileCheck %s
// RUN: FileCheck %s --check-prefix=PEAK < %t.json
// RUN: pebble-opt %s --pebble-dim-bound=4 --pebble-schedule=budget=min -o %t.mlir
// RUN: pebble-run %t.mlir --pebble-dim-bound=4 --output-dir=%t.planned
// RUN: cmp %t/result0.npy %t.planned/result0.npy
// RUN: cmp %t/result1.npy %t.planned/result1.npy

// CHECK: i4 (2, 2, 4) [0, 2, 4, 6, 1, 3, 5, 7, 8, -1, -1, -1, 9, -1, -1, -1]
// CHECK: i4 (5, 2) [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
// PEAK: "default": 128
// PEAK: "predicted_peak_bytes": {
// PEAK-NEXT: "default": 128

func.func @main(%n: index) -> (tensor<2x2x4xi32>, tensor<5x2xi32>) {
  %x = arith.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]> : tensor<5x2xi32>
  %pad = arith.constant -1 : i32
  %d = tensor.empty(%n) : tensor<2x2x?xi32>
  %p = linalg.pack %x padding_value(%pad : i32) inner_dims_pos = [0] inner_tiles = [%n] into %d : tensor<5x2xi32> -> tensor<2x2x?xi32>
  %e = tensor.empty() : tensor<5x2xi32>
  %u = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [%n] into %e : tensor<2x2x?xi32> -> tensor<5x2xi32>
  %r = tensor.cast %p : tensor<2x2x?xi32> to tensor<2x2x4xi32>
  return %r, %u : tensor<2x2x4xi32>, tensor<5x2xi32>
}
