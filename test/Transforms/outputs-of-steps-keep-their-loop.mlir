// RUN: pebble-opt %s --pebble-raise-loops | FileCheck %s
// RUN: pebble-opt %s --pebble-raise-loops --pebble-checkpoint-loops=slots=3 --pebble-loops-to-stablehlo | FileCheck %s --check-prefix=HLO

// A scan whose outputs of every step go into the loss: the steps of the backward
// loop read what the loss says of them. The forward loop stays for the outputs,
// without the tape (tensor<7x4xf32>), and what is between the loops stays
// between them.
// CHECK-LABEL: func.func @scan_with_outputs
// CHECK-NOT: 7x4xf32
// CHECK: %[[F:.*]]:3 = "stablehlo.while"({{.*}}, %arg0, {{.*}}) ({
// CHECK-NOT: 7x4xf32
// CHECK: }) : (tensor<i32>, tensor<4xf32>, tensor<7xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<7xf32>)
// CHECK: %[[CT:.*]] = "stablehlo.cosine"(%[[F]]#2)
// CHECK: %[[L:.*]]:2 = pebble.adjoint_loop %{{.*}} states(%arg0 : tensor<4xf32>) adjoints(%[[F]]#1 : tensor<4xf32>) primal {
// The outputs are not made again.
// CHECK-NOT: dynamic_update_slice
// CHECK: adjoint {
// CHECK: "stablehlo.dynamic_slice"(%[[CT]]
// CHECK: return %[[F]]#2, %[[L]]#1

// HLO-LABEL: func.func @scan_with_outputs
// HLO: stablehlo.while
// HLO: tensor<2x4xf32>
// HLO-NOT: pebble.adjoint_loop
func.func @scan_with_outputs(%x: tensor<4xf32>) -> (tensor<7xf32>, tensor<4xf32>) {
  %c0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %c1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %c6 = "stablehlo.constant"() {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %c7 = "stablehlo.constant"() {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %t0 = "stablehlo.constant"() {value = dense<0.0> : tensor<7x4xf32>} : () -> tensor<7x4xf32>
  %y0 = "stablehlo.constant"() {value = dense<0.0> : tensor<7xf32>} : () -> tensor<7xf32>
  %f:4 = "stablehlo.while"(%c0, %x, %t0, %y0) ({
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<7x4xf32>, %y: tensor<7xf32>):
    %more = "stablehlo.compare"(%i, %c7) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<7x4xf32>, %y: tensor<7xf32>):
    %r = "stablehlo.reshape"(%s) : (tensor<4xf32>) -> tensor<1x4xf32>
    %u = "stablehlo.dynamic_update_slice"(%t, %r, %i, %c0) : (tensor<7x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<7x4xf32>
    %next = "stablehlo.sine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %out = "stablehlo.slice"(%next) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
    %v = "stablehlo.dynamic_update_slice"(%y, %out, %i) : (tensor<7xf32>, tensor<1xf32>, tensor<i32>) -> tensor<7xf32>
    %ii = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%ii, %next, %u, %v) : (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>, tensor<7xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>, tensor<7xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>, tensor<7xf32>)
  %ct = "stablehlo.cosine"(%f#3) : (tensor<7xf32>) -> tensor<7xf32>
  %b:4 = "stablehlo.while"(%c0, %f#1, %f#2, %ct) ({
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>, %t: tensor<7x4xf32>, %g: tensor<7xf32>):
    %more = "stablehlo.compare"(%i, %c7) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<4xf32>, %t: tensor<7x4xf32>, %g: tensor<7xf32>):
    %k = "stablehlo.subtract"(%c6, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %r = "stablehlo.dynamic_slice"(%t, %k, %c0) {slice_sizes = array<i64: 1, 4>} : (tensor<7x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %s = "stablehlo.reshape"(%r) : (tensor<1x4xf32>) -> tensor<4xf32>
    %part = "stablehlo.dynamic_slice"(%g, %k) {slice_sizes = array<i64: 1>} : (tensor<7xf32>, tensor<i32>) -> tensor<1xf32>
    %wide = "stablehlo.broadcast_in_dim"(%part) {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>) -> tensor<4xf32>
    %sum = "stablehlo.add"(%a, %wide) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %cos = "stablehlo.cosine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %next = "stablehlo.multiply"(%sum, %cos) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %ii = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%ii, %next, %t, %g) : (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>, tensor<7xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>, tensor<7xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>, tensor<7xf32>)
  return %f#3, %b#1 : tensor<7xf32>, tensor<4xf32>
}
