// Vectors of i1 lie in memory as scalars of i1 do: a byte each. Loads of several
// dimensions, scans and products made atomically run. A scatter into a tensor leaves the tensor that it began with.
// RUN: pebble-run %s --poison --output-dir=%t --json=%t.json
// RUN: %python -c "import json, numpy; print([numpy.load('%t/result%%d.npy' %% i).tolist() for i in range(5)]); r = json.load(open('%t.json')); print(r['peak_bytes'] == r['predicted_peak_bytes'])" | FileCheck %s
// RUN: pebble-opt %s --pebble-order-operations=objective=peak -cse -canonicalize -o %t.planned.mlir
// RUN: pebble-run %t.planned.mlir --poison --output-dir=%t --json=%t.json
// RUN: %python -c "import json, numpy; print([numpy.load('%t/result%%d.npy' %% i).tolist() for i in range(5)]); r = json.load(open('%t.json')); print(r['peak_bytes'] == r['predicted_peak_bytes'])" | FileCheck %s
// CHECK: {{\[\[}}True, False, True, True], {{\[\[}}1.0, 3.0, 6.0], [4.0, 9.0, 15.0]], 2.0, [7.0, 2.0, 7.0, 4.0, 5.0, 6.0], [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]]
// CHECK-NEXT: True
func.func @main() -> (tensor<4xi1>, tensor<2x3xf32>, f32, tensor<6xf32>, tensor<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %bits = memref.alloc() : memref<4xi1>
  linalg.fill ins(%true : i1) outs(%bits : memref<4xi1>)
  memref.store %false, %bits[%c1] : memref<4xi1>
  %mask = vector.load %bits[%c0] : memref<4xi1>, vector<4xi1>
  %e1 = tensor.empty() : tensor<4xi1>
  %r0 = vector.transfer_write %mask, %e1[%c0] {in_bounds = [true]} : vector<4xi1>, tensor<4xi1>
  %source = memref.alloc() : memref<2x3xf32>
  %numbers = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>
  vector.store %numbers, %source[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
  %again = vector.load %source[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
  %none = arith.constant dense<0.0> : vector<2xf32>
  %sums, %last = vector.scan <add>, %again, %none {inclusive = true, reduction_dim = 1 : i64} : vector<2x3xf32>, vector<2xf32>
  %e2 = tensor.empty() : tensor<2x3xf32>
  %r1 = vector.transfer_write %sums, %e2[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xf32>, tensor<2x3xf32>
  %three = arith.constant 3.0 : f32
  %r2 = memref.atomic_rmw mulf %three, %source[%c0, %c1] : (f32, memref<2x3xf32>) -> f32
  %e3 = tensor.empty() : tensor<2x3xf32>
  %t = vector.transfer_write %again, %e3[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xf32>, tensor<2x3xf32>
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %where = arith.constant dense<[0, 1, 2, 2]> : vector<4xi32>
  %seven = arith.constant dense<7.0> : vector<4xf32>
  %r3 = vector.scatter %flat[%c0] [%where], %mask, %seven : tensor<6xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<6xf32>
  %e4 = tensor.empty() : tensor<6xf32>
  %r4 = linalg.add ins(%flat, %flat : tensor<6xf32>, tensor<6xf32>) outs(%e4 : tensor<6xf32>) -> tensor<6xf32>
  memref.dealloc %bits : memref<4xi1>
  memref.dealloc %source : memref<2x3xf32>
  return %r0, %r1, %r2, %r3, %r4 : tensor<4xi1>, tensor<2x3xf32>, f32, tensor<6xf32>, tensor<6xf32>
}
