// A plan that is not found can be answered by a script. What nobody answers is an
// error that says what the pass said.
// RUN: split-file %s %t
// RUN: pebble-opt %t/alternatives.mlir --transform-interpreter 2>%t.err | FileCheck %t/alternatives.mlir
// RUN: not grep error: %t.err
// RUN: not pebble-opt %t/infeasible.mlir --transform-interpreter 2>&1 | FileCheck %t/infeasible.mlir
// RUN: not pebble-opt %t/shared.mlir --transform-interpreter 2>&1 | FileCheck %t/shared.mlir
// RUN: not pebble-opt %t/option.mlir --transform-interpreter 2>&1 | FileCheck %t/option.mlir
// RUN: not pebble-opt %t/number.mlir --transform-interpreter 2>&1 | FileCheck %t/number.mlir --implicit-check-not=argument!
// RUN: not pebble-opt %t/caller.mlir --transform-interpreter 2>&1 | FileCheck %t/caller.mlir
// RUN: not pebble-opt %t/space.mlir --transform-interpreter 2>&1 | FileCheck %t/space.mlir
// RUN: not pebble-opt %t/no-function.mlir --transform-interpreter 2>&1 | FileCheck %t/no-function.mlir

//--- alternatives.mlir
// CHECK: func.func @f
// CHECK-SAME: peak_bytes = 16512
module attributes {transform.with_named_sequence} {
  module @payload {
    func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
      %w = tensor.empty() : tensor<256x16xf32>
      %wide = linalg.broadcast ins(%x : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
      %a = linalg.reduce {arith.addf} ins(%wide : tensor<256x16xf32>) outs(%x : tensor<16xf32>) dimensions = [0]
      %other = linalg.broadcast ins(%a : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
      %b = linalg.reduce {arith.mulf} ins(%other : tensor<256x16xf32>) outs(%a : tensor<16xf32>) dimensions = [0]
      %c = linalg.reduce {arith.maximumf} ins(%wide : tensor<256x16xf32>) outs(%b : tensor<16xf32>) dimensions = [0]
      return %c : tensor<16xf32>
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %module = transform.structured.match ops{["builtin.module"]} attributes {sym_name = "payload"} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %module : !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %f = transform.structured.match ops{["func.func"]} in %scope : (!transform.any_op) -> !transform.any_op
      %planned = transform.pebble.schedule %f with {budget = "1KiB"} : (!transform.any_op) -> !transform.any_op
    }, {
    ^bb0(%scope: !transform.any_op):
      %f = transform.structured.match ops{["func.func"]} in %scope : (!transform.any_op) -> !transform.any_op
      %planned = transform.pebble.schedule %f with {budget = "60%"} : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}

//--- infeasible.mlir
// CHECK: error: pebble-schedule failed
// CHECK: note: no schedule fits in the budget of 64 bytes; the smallest feasible budget is 128 bytes (proven)
module attributes {transform.with_named_sequence} {
  func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
    %e = tensor.empty() : tensor<16xf32>
    %y = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %planned = transform.pebble.schedule %f with {"budget-bytes" = 64} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- shared.mlir
// CHECK: error: a chosen function calls one that is not chosen and would be planned with it
// CHECK: note: this one
module attributes {transform.with_named_sequence} {
  func.func private @callee(%x: tensor<16xf32>) -> tensor<16xf32> {
    return %x : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
    %y = call @callee(%x) : (tensor<16xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }
  func.func @g(%x: tensor<16xf32>) -> tensor<16xf32> {
    %y = call @callee(%x) : (tensor<16xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "f"} in %module : (!transform.any_op) -> !transform.any_op
    %planned = transform.pebble.schedule %f with {budget = "60%"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- option.mlir
// CHECK: error: {{.*}}no such option {{.*}}budgget
module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %planned = transform.pebble.schedule %f with {budgget = "60%"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- number.mlir
// CHECK: number.mlir:[[#@LINE+7]]:16: error: 'iteration-limit' takes a whole number, got 'many'
module attributes {transform.with_named_sequence} {
  func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
    return %x : tensor<16xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %planned = transform.pebble.order %f with {"iteration-limit" = "many"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- caller.mlir
// CHECK: error: a function that is not chosen calls one that is, and was planned for what that takes
module attributes {transform.with_named_sequence} {
  func.func private @callee(%x: tensor<16xf32>) -> tensor<16xf32> {
    return %x : tensor<16xf32>
  }
  func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
    %y = call @callee(%x) : (tensor<16xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "callee"} in %module : (!transform.any_op) -> !transform.any_op
    %planned = transform.pebble.schedule %f with {budget = "60%"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- space.mlir
// CHECK: error: the value of 'save-plan' holds a space, a quote or a brace, which options cannot
module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %planned = transform.pebble.schedule %f with {"save-plan" = "a b.plan"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- no-function.mlir
// CHECK: error: only functions of one module can be planned
module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %r = transform.structured.match ops{["func.return"]} in %module : (!transform.any_op) -> !transform.any_op
    %planned = transform.pebble.schedule %r with {budget = "60%"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
