// A negative stride makes a sum that wraps as an unsigned number. To say that it
// does not would let LLVM take the access for one that never happens.
// RUN: pebble-opt %s --pebble-to-llvm | FileCheck %s
// RUN: pebble-run %s --entry=backwards --seed=7 --opt-level=0
// RUN: pebble-run %s --entry=backwards --seed=7 --opt-level=2

// CHECK-LABEL: llvm.func @backwards
// CHECK-NOT: nuw
// CHECK: llvm.mul %{{.*}}, %{{.*}} overflow<nsw> : i64
// CHECK-NOT: nuw
// CHECK: llvm.getelementptr inbounds %
// CHECK-NOT: nuw
// CHECK: llvm.return
func.func @backwards(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %v = memref.reinterpret_cast %x to offset: [15], sizes: [2, 4], strides: [-8, -1] : memref<16xf32> to memref<2x4xf32, strided<[-8, -1], offset: 15>>
  memref.store %f, %v[%c0, %c3] : memref<2x4xf32, strided<[-8, -1], offset: 15>>
  %c12 = arith.constant 12 : index
  %got = memref.load %x[%c12] : memref<16xf32>
  %same = arith.cmpf oeq, %got, %f : f32
  cf.assert %same, "the element before the last three was written"
  return
}

// CHECK-LABEL: llvm.func @any_way
// CHECK-NOT: nuw
// CHECK: llvm.return
func.func @any_way(%x: memref<4x4xf32, strided<[?, ?]>>, %f: f32, %i: index) {
  memref.store %f, %x[%i, %i] : memref<4x4xf32, strided<[?, ?]>>
  return
}

// Where no stride can be negative, the promise helps LLVM.
// CHECK-LABEL: llvm.func @forwards
// CHECK: llvm.getelementptr inbounds|nuw
func.func @forwards(%x: memref<4x4xf32>, %f: f32, %i: index) {
  memref.store %f, %x[%i, %i] : memref<4x4xf32>
  return
}
