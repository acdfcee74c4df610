// Loops and branches of affine that carry tensors are those of scf: upstream
// runs them once it has lowered affine.
// RUN: pebble-run %s --poison --json=%t.json 2>&1 | FileCheck %s --check-prefix=AS
// RUN: mlir-opt %s -lower-affine -o %t.upstream.mlir
// RUN: pebble-run %t.upstream.mlir --poison --json=%t.upstream.json
// RUN: grep sha256 %t.upstream.json > %t.sum && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-opt %s --pebble-schedule=budget=min -o %t.planned.mlir
// RUN: pebble-run %t.planned.mlir --poison --json=%t.planned.json 2>&1 | FileCheck %s --check-prefix=AS
// RUN: grep sha256 %t.planned.json | diff - %t.sum
// RUN: pebble-opt %s --pebble-decompose | FileCheck %s

// AS: as predicted
// CHECK-LABEL: func.func @main
// CHECK-NOT: affine.
// What carries no tensor stays.
// CHECK-LABEL: func.func @sum
// CHECK: affine.for
// CHECK: affine.load
func.func @main(%a: tensor<8x8xf32>, %m: memref<8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %b = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = affine.for %i = 0 to 8 iter_args(%p = %a) -> (tensor<8x8xf32>) {
    %x = affine.load %m[7 - %i] : memref<8xf32>
    %t = affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) -> tensor<8x8xf32> {
      affine.yield %p : tensor<8x8xf32>
    } else {
      %w = tensor.insert %x into %p[%i, %i] : tensor<8x8xf32>
      affine.yield %w : tensor<8x8xf32>
    }
    affine.yield %t : tensor<8x8xf32>
  }
  %s = linalg.sub ins(%r, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%b : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
func.func @sum(%m: memref<8xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 8 iter_args(%s = %zero) -> (f32) {
    %x = affine.load %m[%i] : memref<8xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %t : f32
  }
  return %r : f32
}
