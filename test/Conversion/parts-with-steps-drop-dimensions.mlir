// RUN: pebble-opt %s --pass-pipeline='builtin.module(pebble-lower-subviews)' | FileCheck %s
// RUN: pebble-run %s --json=%t.json | FileCheck %s --check-prefix=OUT

// A part of one dimension of a source of two, with a step of two: upstream does
// not find out which dimension it drops. The program prints the element at
// (1, 2) of the source, and that at (3, 0).
// CHECK-LABEL: func.func @main
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%{{.*}}], sizes: [1], strides: [8]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [12], sizes: [%{{.*}}], strides: [2]
// One without steps stays, and so does one that drops nothing.
// CHECK: memref.subview %{{.*}}[0, 0] [1, 4] [1, 1]
// CHECK: memref.subview %{{.*}}[0, 0] [2, 2] [2, 2]
// OUT: 6 12
func.func @main() {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : index
  %m = memref.alloc() : memref<4x4xi64>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      outs(%m : memref<4x4xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %four = arith.constant 4 : index
    %row = arith.muli %i, %four : index
    %at = arith.addi %row, %j : index
    %number = arith.index_cast %at : index to i64
    linalg.yield %number : i64
  }
  %one = memref.subview %m[1, %two] [1, 1] [2, 2] : memref<4x4xi64> to memref<1xi64, strided<[8], offset: ?>>
  %some = memref.subview %m[3, 0] [1, %two] [3, 2] : memref<4x4xi64> to memref<?xi64, strided<[2], offset: 12>>
  %row = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<4x4xi64> to memref<4xi64, strided<[1]>>
  %odd = memref.subview %m[0, 0] [2, 2] [2, 2] : memref<4x4xi64> to memref<2x2xi64, strided<[8, 2]>>
  %a = memref.load %one[%c0] : memref<1xi64, strided<[8], offset: ?>>
  %b = memref.load %some[%c0] : memref<?xi64, strided<[2], offset: 12>>
  %v = memref.load %row[%c0] : memref<4xi64, strided<[1]>>
  %w = memref.load %odd[%c0, %c0] : memref<2x2xi64, strided<[8, 2]>>
  %x = arith.addi %a, %v : i64
  %y = arith.addi %b, %w : i64
  vector.print %x : i64 punctuation <no_punctuation>
  vector.print str " "
  vector.print %y : i64
  return
}
