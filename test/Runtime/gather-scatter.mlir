// Upstream has no lowering of gather and scatter: they run as Pebble writes
// them, with metered peaks as predicted, also when a budget moved them.

// RUN: split-file %s %t
// RUN: pebble-run %t/gather.mlir --output-dir=%t/out --json=%t/report.json
// RUN: %python %S/Inputs/npy.py show %t/out/result0.npy %t/out/result1.npy %t/out/result2.npy | FileCheck %s
// RUN: FileCheck %s --check-prefix=PEAK < %t/report.json
// RUN: pebble-opt %t/gather.mlir --pebble-schedule=budget-percent=100 -o %t/planned.mlir
// RUN: pebble-run %t/planned.mlir --output-dir=%t/planned
// RUN: cmp %t/out/result2.npy %t/planned/result2.npy

// Rows 2, 0 and 2; the elements (1, 0) and (0, 1); two rows written over.
// CHECK: i4 (3, 2) [4, 5, 0, 1, 4, 5]
// CHECK: i4 (2,) [2, 1]
// CHECK: i4 (3, 2) [0, 10, 2, 3, 20, 30]

// PEAK: "peak_bytes": {
// PEAK-NEXT: "default": [[PEAK:[0-9]+]]
// PEAK: "predicted_peak_bytes": {
// PEAK-NEXT: "default": [[PEAK]]

//--- gather.mlir
func.func @main() -> (tensor<3x2xi32>, tensor<2xi32>, tensor<3x2xi32>) {
  %x = arith.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi32>
  %rows = arith.constant dense<[[2], [0], [2]]> : tensor<3x1xindex>
  %a = tensor.gather %x[%rows] gather_dims([0]) : (tensor<3x2xi32>, tensor<3x1xindex>) -> tensor<3x1x2xi32>
  %r = tensor.collapse_shape %a [[0, 1], [2]] : tensor<3x1x2xi32> into tensor<3x2xi32>
  %places = arith.constant dense<[[1, 0], [0, 1]]> : tensor<2x2xi32>
  %b = tensor.gather %x[%places] gather_dims([0, 1]) : (tensor<3x2xi32>, tensor<2x2xi32>) -> tensor<2xi32>
  %new = arith.constant dense<[[[20, 30]], [[0, 10]]]> : tensor<2x1x2xi32>
  %over = arith.constant dense<[[2], [0]]> : tensor<2x1xindex>
  %s = tensor.scatter %new into %x[%over] scatter_dims([0]) unique : (tensor<2x1x2xi32>, tensor<3x2xi32>, tensor<2x1xindex>) -> tensor<3x2xi32>
  return %r, %b, %s : tensor<3x2xi32>, tensor<2xi32>, tensor<3x2xi32>
}
