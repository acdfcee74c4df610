// A while loop owns the tensor that it carries; at most two of its buffers are
// live at once, beside the argument.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// CHECK: before: peak 192
// CHECK: after: peak 192
func.func @main(%a: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:2 = scf.while (%i = %c0, %t = %a) : (index, tensor<16xf32>) -> (index, tensor<16xf32>) {
    %more = arith.cmpi ult, %i, %c5 : index
    scf.condition(%more) %i, %t : index, tensor<16xf32>
  } do {
  ^bb0(%i: index, %t: tensor<16xf32>):
    %next = arith.addi %i, %c1 : index
    %root = math.sqrt %t : tensor<16xf32>
    %out = math.exp %root : tensor<16xf32>
    scf.yield %next, %out : index, tensor<16xf32>
  }
  return %r#1 : tensor<16xf32>
}
