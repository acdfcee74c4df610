// RUN: pebble-opt %s --pebble-checkpoint-loops=slots=3 --split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-checkpoint-loops=schedule=store-all --split-input-file | FileCheck %s --check-prefix=ALL

// The driver: a sweep forward, the last step, and a loop that runs backward and
// sweeps forward again from the latest state that was kept. 20 steps in three
// slots take 45 steps besides the last.
// CHECK-LABEL: func.func @sines
// CHECK: %[[ARRAY:.*]] = bufferization.alloc_tensor() : tensor<2x8xf32>
// CHECK: scf.for
// CHECK: math.sin
// CHECK: scf.for
// CHECK: math.sin
// CHECK: scf.for
// CHECK: math.cos
// CHECK: math.sin
// CHECK-NOT: math.sin
// CHECK: {pebble.reversal = {backward_steps = 20 : i64, bound = 46 : i64, forward_steps = 46 : i64, peak_bytes = {{[0-9]+}} : i64, slots = 3 : i64, steps = 20 : i64}}

// All states: 20 of them, and no step runs twice.
// ALL-LABEL: func.func @sines
// ALL: bufferization.alloc_tensor() : tensor<20x8xf32>
// ALL: scf.for
// ALL: math.sin
// ALL: scf.for
// ALL-NOT: math.sin
// ALL: math.cos
// ALL: {pebble.reversal = {backward_steps = 20 : i64, bound = 20 : i64, forward_steps = 20 : i64, peak_bytes = {{[0-9]+}} : i64, slots = 20 : i64, steps = 20 : i64}}
func.func @sines(%x: tensor<8xf32>, %a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %n = arith.constant 20 : index
  %y, %dx = pebble.adjoint_loop %n states(%x : tensor<8xf32>) adjoints(%a : tensor<8xf32>) primal {
  ^bb0(%i: index, %s: tensor<8xf32>):
    %next = math.sin %s : tensor<8xf32>
    pebble.yield %next : tensor<8xf32>
  } adjoint {
  ^bb0(%i: index, %s: tensor<8xf32>, %b: tensor<8xf32>):
    %cos = math.cos %s : tensor<8xf32>
    %c = arith.mulf %cos, %b : tensor<8xf32>
    pebble.yield %c : tensor<8xf32>
  }
  return %y, %dx : tensor<8xf32>, tensor<8xf32>
}

// -----

// Nobody needs the final state, so the last step forward is not run; and four
// steps keep no more than two states besides the first.
// CHECK-LABEL: func.func @no_final_state
// CHECK: {pebble.reversal = {backward_steps = 4 : i64, bound = 3 : i64, forward_steps = 3 : i64, {{.*}}slots = 3 : i64, steps = 4 : i64}}
func.func @no_final_state(%x: f32) -> f32 {
  %n = arith.constant 4 : index
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

// -----

// What is known of a loop of any length.
// CHECK-LABEL: func.func @any_length
// CHECK: cf.assert
// CHECK: {pebble.reversal = {peak_bytes = {{[0-9]+}} : i64, slots = 3 : i64}}
// ALL-LABEL: func.func @any_length
// ALL: bufferization.alloc_tensor(%{{.*}}) : tensor<?x8xf32>
func.func @any_length(%n: index, %x: tensor<8xf32>, %a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %y, %dx = pebble.adjoint_loop %n states(%x : tensor<8xf32>) adjoints(%a : tensor<8xf32>) primal {
  ^bb0(%i: index, %s: tensor<8xf32>):
    %next = math.sin %s : tensor<8xf32>
    pebble.yield %next : tensor<8xf32>
  } turn {
  ^bb0(%s: tensor<8xf32>, %b: tensor<8xf32>):
    %c = arith.mulf %s, %b : tensor<8xf32>
    pebble.yield %c : tensor<8xf32>
  } adjoint {
  ^bb0(%i: index, %s: tensor<8xf32>, %b: tensor<8xf32>):
    %cos = math.cos %s : tensor<8xf32>
    %c = arith.mulf %cos, %b : tensor<8xf32>
    pebble.yield %c : tensor<8xf32>
  }
  return %y, %dx : tensor<8xf32>, tensor<8xf32>
}
