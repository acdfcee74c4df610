// RUN: pebble-opt %s --pebble-checkpoint-loops=slots=4 --pebble-loops-to-stablehlo | FileCheck %s
// RUN: pebble-opt %s --pebble-checkpoint-loops=slots=4 --pebble-loops-to-stablehlo | FileCheck %s --check-prefix=CLEAN

// CLEAN-NOT: {{scf|arith|tensor|bufferization|linalg}}.
// CLEAN-NOT: pebble.r

// A step forward takes 8 operations for the product and 80 for the sine, a step
// back 3 times 8 and 80. Of 39 steps forward 19 are on the way there, and 20 on the
// way back with 20 steps back.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>, %[[W:.*]]: tensor<8xf32>)
// The slots but the first, and the positions of all.
// CHECK: "stablehlo.broadcast_in_dim"({{.*}}) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<4xi64>
// CHECK: %[[SLOTS:.*]] = "stablehlo.broadcast_in_dim"({{.*}}) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x8xf32>
// The way forward takes what its regions use.
// CHECK: "stablehlo.while"({{.*}}%[[X]]{{.*}}%[[SLOTS]]{{.*}}%[[W]]{{.*}}) ({
// CHECK: "stablehlo.compare"{{.*}}#stablehlo<comparison_direction LT>
// CHECK: "stablehlo.dynamic_update_slice"({{.*}}) : (tensor<3x8xf32>, tensor<1x8xf32>, tensor<i64>, tensor<i64>) -> tensor<3x8xf32>
// CHECK: }) {pebble.cost = 1672 : i64}
// The way back.
// CHECK: "stablehlo.while"
// CHECK: "stablehlo.cosine"
// CHECK: "stablehlo.dynamic_slice"({{.*}}) <{slice_sizes = array<i64: 1, 8>}> : (tensor<3x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x8xf32>
// CHECK: }) {pebble.cost = 3840 : i64}
func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> {
  %n = arith.constant 20 : index
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> tensor<8xf32>
  %y, %dx = pebble.adjoint_loop %n states(%x : tensor<8xf32>) adjoints(%one : tensor<8xf32>) primal {
  ^bb0(%i: index, %s: tensor<8xf32>):
    %t = "stablehlo.multiply"(%w, %s) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %next = "stablehlo.sine"(%t) : (tensor<8xf32>) -> tensor<8xf32>
    pebble.yield %next : tensor<8xf32>
  } adjoint {
  ^bb0(%i: index, %s: tensor<8xf32>, %a: tensor<8xf32>):
    %t = "stablehlo.multiply"(%w, %s) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %cos = "stablehlo.cosine"(%t) : (tensor<8xf32>) -> tensor<8xf32>
    %dt = "stablehlo.multiply"(%cos, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %da = "stablehlo.multiply"(%w, %dt) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    pebble.yield %da : tensor<8xf32>
  }
  return %dx : tensor<8xf32>
}
