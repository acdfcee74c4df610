// RUN: pebble-run %s --dim-bound=4 --poison | FileCheck %s
// RUN: pebble-run %s --dim-bound=4 --opt-level=0 | FileCheck %s

// A source without a row, and one of a single row: what is not there is never
// read, not even to be thrown away.
// CHECK: 48 times 7
// CHECK-NEXT: 43 times 7
func.func private @count(%packed: tensor<?x3x4x2xf32>) -> index {
  %zero = arith.constant dense<0> : tensor<index>
  %count = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> ()>],
      iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%packed : tensor<?x3x4x2xf32>) outs(%zero : tensor<index>) {
  ^bb0(%x: f32, %sum: index):
    %seven = arith.constant 7.0 : f32
    %is = arith.cmpf oeq, %x, %seven : f32
    %one = arith.index_cast %is : i1 to index
    %next = arith.subi %sum, %one : index
    linalg.yield %next : index
  } -> tensor<index>
  %n = tensor.extract %count[] : tensor<index>
  return %n : index
}
func.func private @pack(%rows: index) -> index {
  %two = arith.constant 2 : index
  %seven = arith.constant 7.0 : f32
  %other = arith.constant 1.0 : f32
  %e = tensor.empty(%rows) : tensor<?x5xf32>
  %source = linalg.fill ins(%other : f32) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %d = tensor.empty(%two) : tensor<?x3x4x2xf32>
  %packed = linalg.pack %source padding_value(%seven : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %d
      : tensor<?x5xf32> -> tensor<?x3x4x2xf32>
  %n = call @count(%packed) : (tensor<?x3x4x2xf32>) -> index
  return %n : index
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = call @pack(%c0) : (index) -> index
  vector.print %none : index punctuation <no_punctuation>
  vector.print str " times 7\n"
  %one = call @pack(%c1) : (index) -> index
  vector.print %one : index punctuation <no_punctuation>
  vector.print str " times 7\n"
  return
}
