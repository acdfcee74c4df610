// A view that says where it begins and how it is laid out, too: its sizes are
// values like any other.
// RUN: pebble-opt %s --pebble-order-operations=dim-bound=64 | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule="budget-percent=100 dim-bound=64" | FileCheck %s
// RUN: pebble-run %s | FileCheck %s --allow-empty --check-prefix=RAN

// CHECK-LABEL: func @main
// CHECK: memref.extract_strided_metadata
// CHECK: memref.reinterpret_cast
// CHECK: memref.store
// RAN-NOT: error
func.func @main(%a: memref<4x16xf32>) -> index {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %s = memref.subview %a[1, 2] [2, 8] [1, 1]
      : memref<4x16xf32> to memref<2x8xf32, strided<[16, 1], offset: 18>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %s
      : memref<2x8xf32, strided<[16, 1], offset: 18>> -> memref<f32>, index, index, index, index, index
  %v = memref.reinterpret_cast %base to offset: [%offset], sizes: [%sizes#0, %sizes#1],
      strides: [%strides#0, %strides#1] : memref<f32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  memref.store %z, %v[%c0, %c3] : memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %offset : index
}
