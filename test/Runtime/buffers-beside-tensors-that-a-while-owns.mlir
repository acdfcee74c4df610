// The body makes the tensor anew, so the loop owns what it carries of tensors. The
// buffer that an iteration makes is there beside what the next one makes all the same.
// RUN: pebble-run %s --poison --json=- | FileCheck %s
// RUN: pebble-opt %s --pebble-order-operations | pebble-run - --poison --json=- | FileCheck %s

// CHECK:      "peak_bytes": {
// CHECK-NEXT:   "default": 320
// CHECK:      "predicted_peak_bytes": {
// CHECK-NEXT:   "default": 320
func.func @main(%m: memref<8xf32>, %t: tensor<8xf32>, %n: index) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%i = %c0, %x = %t, %b = %m) : (index, tensor<8xf32>, memref<8xf32>) -> (tensor<8xf32>, memref<8xf32>, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %x, %b, %i : tensor<8xf32>, memref<8xf32>, index
  } do {
  ^bb0(%y: tensor<8xf32>, %b: memref<8xf32>, %i: index):
    %next = arith.addi %i, %c1 : index
    %sum = linalg.add ins(%y, %t : tensor<8xf32>, tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    %new = memref.alloc() : memref<8xf32>
    memref.copy %m, %new : memref<8xf32> to memref<8xf32>
    scf.yield %next, %sum, %new : index, tensor<8xf32>, memref<8xf32>
  }
  %v = memref.load %r#1[%c1] : memref<8xf32>
  return %r#0, %v : tensor<8xf32>, f32
}
