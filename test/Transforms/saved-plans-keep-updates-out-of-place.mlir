// A plan keeps which updates are out of place: applied again, nothing is solved,
// and the text is the same. Where updates have to stay it is no plan for the
// program.
// RUN: pebble-opt --quiet %s --pebble-schedule="budget-bytes=17920 save-plan=%t.plan" -o %t.first
// RUN: FileCheck %s --check-prefix=PLAN < %t.plan
// RUN: pebble-opt --quiet %s --pebble-schedule="budget-bytes=17920 plan=%t.plan" -o %t.second
// RUN: cmp %t.first %t.second
// RUN: not pebble-opt --quiet %s --pebble-schedule="budget-bytes=17920 plan=%t.plan out-of-place=false" -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: sed 's/"out_of_place": \[/"out_of_place": [-1,/' %t.plan > %t.broken
// RUN: not pebble-opt --quiet %s --pebble-schedule="budget-bytes=17920 plan=%t.broken" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BROKEN

// PLAN: "out_of_place": [
// STAYS: error: no schedule was found within the budget of 17920 bytes
// BROKEN: holds no plans: what is out of place is the index of a value
func.func @main(%x: tensor<16xf32>) -> (tensor<256xf32>, tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<16xf32>
  %w = tensor.empty() : tensor<256x16xf32>
  %l = tensor.empty() : tensor<256xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
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
