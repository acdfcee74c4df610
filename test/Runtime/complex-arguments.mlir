// Complex numbers go in and come out as numpy has them, and numbers of a byte
// by their bits.

// RUN: split-file %s %t
// RUN: pebble-run %t/complex.mlir --seed=3 --output-dir=%t/out --json=%t/complex.json
// RUN: FileCheck %s --check-prefix=JSON < %t/complex.json
// RUN: %python %S/Inputs/squares.py %t/out | FileCheck %s
// RUN: pebble-run %t/complex.mlir --seed=3 --input=0:%t/out/result0.npy --json=%t/again.json
// A complex number may be all that a function returns.
// RUN: pebble-run %t/one.mlir --input=0:%t/out/result1.npy --output-dir=%t/one
// RUN: cmp %t/out/result1.npy %t/one/result0.npy
// RUN: pebble-run %t/small.mlir --output-dir=%t/small
// RUN: not pebble-run %t/half.mlir 2>&1 | FileCheck %s --check-prefix=HALF

// JSON: "predicted_peak_bytes": {
// JSON-NEXT: "default": 192
// CHECK: c8 (3,) squared, c16 () doubled, c8 () the first
// HALF: error: argument 0 is of type 'tensor<2xcomplex<f16>>', which cannot be generated

//--- complex.mlir
func.func @main(%x: tensor<3xcomplex<f32>>, %s: complex<f64>) -> (tensor<3xcomplex<f32>>, complex<f64>, complex<f32>, tensor<3xcomplex<f32>>) {
  %e = tensor.empty() : tensor<3xcomplex<f32>>
  %p = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<3xcomplex<f32>>) outs(%e : tensor<3xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %o: complex<f32>):
    %m = complex.mul %a, %a : complex<f32>
    linalg.yield %m : complex<f32>
  } -> tensor<3xcomplex<f32>>
  %t = complex.add %s, %s : complex<f64>
  %c0 = arith.constant 0 : index
  %f = tensor.extract %x[%c0] : tensor<3xcomplex<f32>>
  %e2 = tensor.empty() : tensor<3xcomplex<f32>>
  %copy = linalg.copy ins(%x : tensor<3xcomplex<f32>>) outs(%e2 : tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return %p, %t, %f, %copy : tensor<3xcomplex<f32>>, complex<f64>, complex<f32>, tensor<3xcomplex<f32>>
}
//--- one.mlir
func.func @main(%x: complex<f64>) -> complex<f64> {
  return %x : complex<f64>
}
//--- small.mlir
func.func @main(%x: tensor<4xf8E5M2>, %y: f8E4M3FN, %i: tensor<2xindex>, %b: tensor<3xi1>) -> (tensor<4xf8E5M2>, f8E4M3FN, tensor<2xindex>, tensor<3xi1>) {
  return %x, %y, %i, %b : tensor<4xf8E5M2>, f8E4M3FN, tensor<2xindex>, tensor<3xi1>
}
//--- half.mlir
func.func @main(%x: tensor<2xcomplex<f16>>) {
  return
}
