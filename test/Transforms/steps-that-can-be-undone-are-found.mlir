// RUN: pebble-opt %s --split-input-file --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s

// Of each step that reads x early, x follows from what it made, and from what else
// it read. x is read again late.

// CHECK-LABEL: @sum: 1 form
// CHECK-NEXT: x (256 bytes) comes back by undoing linalg.generic y
func.func @sum(%a: tensor<64xi32>, %k: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>) {
  %x = arith.muli %a, %a {pebble.name = "x"} : tensor<64xi32>
  %y = arith.addi %k, %x {pebble.name = "y"} : tensor<64xi32>
  %b = arith.muli %y, %y : tensor<64xi32>
  %c = arith.muli %b, %y : tensor<64xi32>
  %d = arith.muli %c, %b : tensor<64xi32>
  %e = arith.muli %d, %x : tensor<64xi32>
  return %e, %y : tensor<64xi32>, tensor<64xi32>
}

// -----

// The number that is added is x itself.
// CHECK-LABEL: @twice: 0 forms
func.func @twice(%a: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>) {
  %x = arith.muli %a, %a {pebble.name = "x"} : tensor<64xi32>
  %y = arith.addi %x, %x {pebble.name = "y"} : tensor<64xi32>
  %b = arith.muli %y, %y : tensor<64xi32>
  %c = arith.muli %b, %y : tensor<64xi32>
  %d = arith.muli %c, %b : tensor<64xi32>
  %e = arith.muli %d, %x : tensor<64xi32>
  return %e, %y : tensor<64xi32>, tensor<64xi32>
}

// -----

// What is made of x is gone by the time x is wanted.
// CHECK-LABEL: @gone: 0 forms
func.func @gone(%a: tensor<64xi32>, %k: tensor<64xi32>) -> tensor<64xi32> {
  %x = arith.muli %a, %a {pebble.name = "x"} : tensor<64xi32>
  %y = arith.addi %x, %k {pebble.name = "y"} : tensor<64xi32>
  %b = arith.muli %y, %y : tensor<64xi32>
  %c = arith.muli %b, %b : tensor<64xi32>
  %d = arith.muli %c, %b : tensor<64xi32>
  %e = arith.muli %d, %x : tensor<64xi32>
  return %e : tensor<64xi32>
}

// -----

// Sums of floating-point numbers are rounded.
// CHECK-LABEL: @rounded: 0 forms
func.func @rounded(%a: tensor<64xf32>, %k: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %x = arith.mulf %a, %a {pebble.name = "x"} : tensor<64xf32>
  %y = arith.addf %x, %k {pebble.name = "y"} : tensor<64xf32>
  %b = arith.mulf %y, %y : tensor<64xf32>
  %c = arith.mulf %b, %y : tensor<64xf32>
  %d = arith.mulf %c, %b : tensor<64xf32>
  %e = arith.mulf %d, %x : tensor<64xf32>
  return %e, %y : tensor<64xf32>, tensor<64xf32>
}

// -----

// CHECK-LABEL: @allowed: 1 form
// CHECK-NEXT: x (256 bytes) comes back by undoing linalg.generic y, up to rounding
module attributes {pebble.allow_rounding} {
func.func @allowed(%a: tensor<64xf32>, %k: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %x = arith.mulf %a, %a {pebble.name = "x"} : tensor<64xf32>
  %y = arith.subf %k, %x {pebble.name = "y"} : tensor<64xf32>
  %b = arith.mulf %y, %y : tensor<64xf32>
  %c = arith.mulf %b, %y : tensor<64xf32>
  %d = arith.mulf %c, %b : tensor<64xf32>
  %e = arith.mulf %d, %x : tensor<64xf32>
  return %e, %y : tensor<64xf32>, tensor<64xf32>
}
}

// -----

// Negations and permutations are exact, whatever the numbers.
// CHECK-LABEL: @moved: 1 form
// CHECK-NEXT: x (256 bytes) comes back by undoing linalg.generic y
func.func @moved(%a: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<16x4xf32>) {
  %x = arith.mulf %a, %a {pebble.name = "x"} : tensor<4x16xf32>
  %e0 = tensor.empty() : tensor<16x4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a, b) -> (b, a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"], pebble.name = "y"} ins(%x : tensor<4x16xf32>) outs(%e0 : tensor<16x4xf32>) {
  ^bb0(%i: f32, %o: f32):
    %n = arith.negf %i : f32
    linalg.yield %n : f32
  } -> tensor<16x4xf32>
  %b = arith.mulf %y, %y : tensor<16x4xf32>
  %c = arith.mulf %b, %y : tensor<16x4xf32>
  %d = arith.mulf %c, %b : tensor<16x4xf32>
  %f = tensor.empty() : tensor<4x16xf32>
  %t = linalg.transpose ins(%d : tensor<16x4xf32>) outs(%f : tensor<4x16xf32>) permutation = [1, 0]
  %e = arith.mulf %t, %x : tensor<4x16xf32>
  return %e, %y : tensor<4x16xf32>, tensor<16x4xf32>
}

// -----

// A step that reads x through a view gives back that view; whoever reads x in
// another way keeps it.
// CHECK-LABEL: @viewed: 1 form
// CHECK-NEXT: x (256 bytes) comes back by undoing linalg.generic y
// CHECK-LABEL: @viewed_otherwise: 0 forms
func.func @viewed(%a: tensor<4x16xi32>, %k: tensor<64xi32>) -> (tensor<64xi32>, tensor<64xi32>) {
  %x = arith.muli %a, %a {pebble.name = "x"} : tensor<4x16xi32>
  %v = tensor.collapse_shape %x [[0, 1]] : tensor<4x16xi32> into tensor<64xi32>
  %y = arith.subi %v, %k {pebble.name = "y"} : tensor<64xi32>
  %b = arith.muli %y, %y : tensor<64xi32>
  %c = arith.muli %b, %y : tensor<64xi32>
  %d = arith.muli %c, %b : tensor<64xi32>
  %e = arith.muli %d, %v : tensor<64xi32>
  return %e, %y : tensor<64xi32>, tensor<64xi32>
}
func.func @viewed_otherwise(%a: tensor<4x16xi32>, %k: tensor<64xi32>) -> (tensor<4x16xi32>, tensor<64xi32>) {
  %x = arith.muli %a, %a {pebble.name = "x"} : tensor<4x16xi32>
  %v = tensor.collapse_shape %x [[0, 1]] : tensor<4x16xi32> into tensor<64xi32>
  %y = arith.subi %v, %k {pebble.name = "y"} : tensor<64xi32>
  %b = arith.muli %y, %y : tensor<64xi32>
  %c = arith.muli %b, %y : tensor<64xi32>
  %d = arith.muli %c, %b : tensor<64xi32>
  %g = tensor.expand_shape %d [[0, 1]] output_shape [4, 16] : tensor<64xi32> into tensor<4x16xi32>
  %e = arith.muli %g, %x : tensor<4x16xi32>
  return %e, %y : tensor<4x16xi32>, tensor<64xi32>
}
