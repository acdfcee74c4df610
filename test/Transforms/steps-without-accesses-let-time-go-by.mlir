// In the published cache model an output that nobody reads leaves after the
// step that follows, whether that one touches a tensor or not. The solver's model
// of energy and the analysis's must agree on it, or the pass says that they do
// not.
// RUN: pebble-opt %s --pebble-target=sutro --pebble-order-operations="objective=energy cache-model=sutro" | FileCheck %s

// CHECK-LABEL: func @index_cast_between
// CHECK-SAME: pebble.result = {bound = [[COST:[0-9]+]] : i64, cost = [[COST]] : i64
func.func @index_cast_between(%u: memref<4x4xindex>, %a: memref<4xi32> {llvm.noalias}, %b: memref<4x16xi1> {llvm.noalias}, %n: i32) -> memref<3xf64> {
  linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%b : memref<4x16xi1>) outs(%b : memref<4x16xi1>) {
  ^bb0(%x: i1, %o: i1):
    %y = arith.xori %x, %o : i1
    linalg.yield %y : i1
  }
  linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : memref<4xi32>) outs(%a : memref<4xi32>) {
  ^bb0(%x: i32, %o: i32):
    linalg.yield %x : i32
  }
  %i = arith.index_castui %n : i32 to index
  %m = memref.alloc() : memref<3xf64>
  return %m : memref<3xf64>
}
