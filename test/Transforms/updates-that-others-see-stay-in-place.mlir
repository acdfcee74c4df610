// What belongs to others is written where they look for it, whatever that costs:
// a donated argument that is given back, and a buffer with a name. What was given
// away for good is free.
// RUN: not pebble-opt --quiet %s --split-input-file --pebble-schedule="budget-bytes=17920" 2>&1 | FileCheck %s

// CHECK: error: no schedule fits in the budget of 17920 bytes
// CHECK-NOT: @given_back
func.func @given_back(%a: tensor<16xf32> {pebble.donated}) -> (tensor<256xf32>, tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<16xf32>
  %w = tensor.empty() : tensor<256x16xf32>
  %l = tensor.empty() : tensor<256xf32>
  %m = linalg.broadcast ins(%a : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %f = linalg.fill ins(%zero : f32) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.reduce {arith.addf} ins(%m : tensor<256x16xf32>) outs(%f : tensor<16xf32>) dimensions = [0]
  %u = linalg.tanh ins(%a : tensor<16xf32>) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  %t = linalg.add ins(%u, %s : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %o = linalg.broadcast ins(%t : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %g = linalg.fill ins(%zero : f32) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.reduce {arith.maximumf} ins(%o : tensor<256x16xf32>) outs(%g : tensor<16xf32>) dimensions = [0]
  %h = linalg.fill ins(%zero : f32) outs(%l : tensor<256xf32>) -> tensor<256xf32>
  %r = linalg.matvec ins(%m, %q : tensor<256x16xf32>, tensor<16xf32>) outs(%h : tensor<256xf32>) -> tensor<256xf32>
  return %r, %u : tensor<256xf32>, tensor<16xf32>
}

// -----

// CHECK-LABEL: func.func @given_away
// CHECK-SAME: out_of_place_values = 1 : i64
func.func @given_away(%a: tensor<16xf32> {pebble.donated}) -> tensor<256xf32> {
  %zero = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<16xf32>
  %w = tensor.empty() : tensor<256x16xf32>
  %l = tensor.empty() : tensor<256xf32>
  %m = linalg.broadcast ins(%a : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %f = linalg.fill ins(%zero : f32) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.reduce {arith.addf} ins(%m : tensor<256x16xf32>) outs(%f : tensor<16xf32>) dimensions = [0]
  %u = linalg.tanh ins(%a : tensor<16xf32>) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  %t = linalg.add ins(%u, %s : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %o = linalg.broadcast ins(%t : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %g = linalg.fill ins(%zero : f32) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.reduce {arith.maximumf} ins(%o : tensor<256x16xf32>) outs(%g : tensor<16xf32>) dimensions = [0]
  %h = linalg.fill ins(%zero : f32) outs(%l : tensor<256xf32>) -> tensor<256xf32>
  %r = linalg.matvec ins(%m, %q : tensor<256x16xf32>, tensor<16xf32>) outs(%h : tensor<256xf32>) -> tensor<256xf32>
  return %r : tensor<256xf32>
}
