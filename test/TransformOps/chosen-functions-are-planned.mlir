// A script plans the functions that it chooses, and leaves others alone.
// RUN: pebble-opt %s --transform-interpreter | FileCheck %s

// CHECK-LABEL: func.func @chosen
// CHECK-SAME: pebble.result = {{.*}}peak_bytes = 16512
// CHECK: pebble.opaque
// CHECK-LABEL: func.func @other
// CHECK-NOT: pebble
// CHECK-LABEL: func.func @ordered
// CHECK-SAME: pebble.result
// CHECK: linalg.exp
module attributes {transform.with_named_sequence} {
  memref.global "private" constant @table : memref<4xf32> = dense<1.0>

  func.func @chosen(%x: tensor<16xf32>) -> tensor<16xf32> {
    %w = tensor.empty() : tensor<256x16xf32>
    %wide = linalg.broadcast ins(%x : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
    %a = linalg.reduce {arith.addf} ins(%wide : tensor<256x16xf32>) outs(%x : tensor<16xf32>) dimensions = [0]
    %other = linalg.broadcast ins(%a : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
    %b = linalg.reduce {arith.mulf} ins(%other : tensor<256x16xf32>) outs(%a : tensor<16xf32>) dimensions = [0]
    %c = linalg.reduce {arith.maximumf} ins(%wide : tensor<256x16xf32>) outs(%b : tensor<16xf32>) dimensions = [0]
    return %c : tensor<16xf32>
  }

  func.func @other(%x: tensor<16xf32>) -> tensor<16xf32> {
    %e = tensor.empty() : tensor<16xf32>
    %y = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }

  func.func @ordered(%x: tensor<16xf32>) -> tensor<16xf32> {
    %e = tensor.empty() : tensor<16xf32>
    %y = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    return %y : tensor<16xf32>
  }

  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %chosen = transform.structured.match ops{["func.func"]} attributes {sym_name = "chosen"} in %module : (!transform.any_op) -> !transform.any_op
    %planned = transform.pebble.schedule %chosen with {budget = "60%"} : (!transform.any_op) -> !transform.any_op
    %late = transform.structured.match ops{["func.func"]} attributes {sym_name = "ordered"} in %module : (!transform.any_op) -> !transform.any_op
    %ordered = transform.pebble.order %late with {objective = "peak"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
