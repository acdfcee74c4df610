// A tensor that shows a buffer is read like any tensor; that it is memory, too,
// does not make its readers readers of something hidden.
// RUN: pebble-opt %s --pebble-order-operations --split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 --split-input-file | FileCheck %s
// RUN: pebble-run %s --entry=updated --json=%t.before
// RUN: pebble-opt %s --pebble-order-operations -cse -canonicalize | pebble-run - --entry=updated --json=%t.after
// RUN: grep -o 'results_sha256": "[0-9a-f]*' %t.before > %t.hash
// RUN: grep -F -f %t.hash %t.after

// CHECK-LABEL: func @updated
// CHECK: %[[T:.*]] = bufferization.to_tensor
// CHECK: %[[OWN:.*]] = bufferization.alloc_tensor() copy(%[[T]])
// CHECK: tensor.insert %{{.*}} into %[[OWN]]
func.func @updated(%m: memref<4xf32>, %f: f32) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r = tensor.insert %f into %t[%c0] : tensor<4xf32>
  %kept = memref.load %m[%c0] : memref<4xf32>
  return %r, %kept : tensor<4xf32>, f32
}

// CHECK-LABEL: func @updated_in_a_loop
// CHECK: scf.for
// CHECK: tensor.insert
func.func @updated_in_a_loop(%m: memref<4xf32>, %f: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%it = %t) -> (tensor<4xf32>) {
    %n = tensor.insert %f into %it[%i] : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
