// RUN: pebble-opt %s --transform-interpreter | FileCheck %s
// CHECK-LABEL: func.func @chosen
// CHECK-NOT: pebble.adjoint_loop
// CHECK: {pebble.reversal = {{{.*}}slots = 3 : i64, steps = 20 : i64}}
// CHECK-LABEL: func.func @other
// CHECK: pebble.adjoint_loop
module attributes {transform.with_named_sequence} {
  func.func @chosen(%x: f32) -> f32 {
    %n = arith.constant 20 : index
    %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
    ^bb0(%i: index, %s: f32):
      %next = math.sin %s : f32
      pebble.yield %next : f32
    } adjoint {
    ^bb0(%i: index, %s: f32, %b: f32):
      %cos = math.cos %s : f32
      %c = arith.mulf %cos, %b : f32
      pebble.yield %c : f32
    }
    return %dx : f32
  }

  func.func @other(%x: f32) -> f32 {
    %n = arith.constant 20 : index
    %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
    ^bb0(%i: index, %s: f32):
      pebble.yield %s : f32
    } adjoint {
    ^bb0(%i: index, %s: f32, %b: f32):
      pebble.yield %b : f32
    }
    return %dx : f32
  }

  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "chosen"} in %module : (!transform.any_op) -> !transform.any_op
    %planned = transform.pebble.checkpoint_loops %f with {slots = 3} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
