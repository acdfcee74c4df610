// What stands in a vector.mask runs with the mask: what is masked out is neither
// read, added nor written.

// RUN: pebble-run %s --poison --output-dir=%t --json=%t.json
// RUN: %python %S/Inputs/npy.py show %t/result0.npy %t/argument1.npy | FileCheck %s
// RUN: pebble-opt %s --pebble-order-operations=objective=peak -o %t.ordered.mlir
// RUN: pebble-run %t.ordered.mlir --poison --output-dir=%t.ordered
// RUN: %python %S/Inputs/npy.py show %t.ordered/result0.npy %t.ordered/argument1.npy | FileCheck %s

// CHECK: i4 () [8]
// CHECK: i4 (6,) [2, 2, 2, 2, 5, 5]
func.func @main(%x: memref<6xi32> {pebble.range = [2, 3]}, %out: memref<6xi32> {pebble.range = [5, 6]}) -> i32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %m = vector.create_mask %c4 : vector<6xi1>
  %v = vector.mask %m { vector.transfer_read %x[%c0], %zero {in_bounds = [true]} : memref<6xi32>, vector<6xi32> } : vector<6xi1> -> vector<6xi32>
  %s = vector.mask %m { vector.reduction <add>, %v : vector<6xi32> into i32 } : vector<6xi1> -> i32
  vector.mask %m { vector.transfer_write %v, %out[%c0] {in_bounds = [true]} : vector<6xi32>, memref<6xi32> } : vector<6xi1>
  return %s : i32
}
