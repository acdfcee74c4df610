// A write under a mask leaves what the mask hides, whether the mask is an operand
// or around the write.
// RUN: pebble-run %s --poison --json=%t.json 2>&1 | FileCheck %s --check-prefix=AS
// RUN: pebble-run %s --poison --entry=operand --json=%t.operand.json
// RUN: grep sha256 %t.operand.json > %t.sum && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-opt %s --pebble-schedule=budget=min -cse -canonicalize -o %t.mlir
// RUN: pebble-run %t.mlir --poison --json=%t.planned.json 2>&1 | FileCheck %s --check-prefix=AS
// RUN: grep sha256 %t.planned.json | diff - %t.sum
// RUN: pebble-opt %s --pebble-decompose | FileCheck %s

// AS: as predicted
// CHECK-LABEL: func.func @main
// CHECK-NOT: vector.mask
// CHECK: vector.transfer_read {{.*}}, %{{.*}}, %[[MASK:.*]] {in_bounds
// CHECK: vector.transfer_write {{.*}}, %[[MASK]] {in_bounds
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.exp ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = vector.create_mask %c3, %c8 : vector<8x8xi1>
  %v = vector.mask %m { vector.transfer_read %a[%c0, %c0], %f0 {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32> } : vector<8x8xi1> -> vector<8x8xf32>
  %w = vector.mask %m { vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32> } : vector<8x8xi1> -> tensor<8x8xf32>
  %r = linalg.add ins(%w, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %w : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func @operand(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.exp ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = vector.create_mask %c3, %c8 : vector<8x8xi1>
  %v = vector.transfer_read %a[%c0, %c0], %f0, %m {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32>
  %w = vector.transfer_write %v, %s[%c0, %c0], %m {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
  %r = linalg.add ins(%w, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %w : tensor<8x8xf32>, tensor<8x8xf32>
}
