// RUN: pebble-opt %s --split-input-file --verify-diagnostics

func.func @d35_fewer_results(%n: index, %x: f32) {
  // expected-error@+1 {{[D35] the loop returns a value for each of its 2 initial values, and this one returns 1}}
  %r = "pebble.adjoint_loop"(%n, %x, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index, %s: f32):
    pebble.yield %s : f32
  }, {
  }, {
  ^bb0(%i: index, %s: f32, %a: f32):
    pebble.yield %a : f32
  }) : (index, f32, f32) -> f32
  return
}

// -----

func.func @d35_another_type(%n: index, %x: f32) {
  // expected-error@+1 {{[D35] result 1 has type 'f64', but began as a value of type 'f32'}}
  %r:2 = "pebble.adjoint_loop"(%n, %x, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index, %s: f32):
    pebble.yield %s : f32
  }, {
  }, {
  ^bb0(%i: index, %s: f32, %a: f32):
    pebble.yield %a : f32
  }) : (index, f32, f32) -> (f32, f64)
  return
}

// -----

func.func @d36_no_adjoint(%n: index, %x: f32) {
  // expected-error@+1 {{[D36] a loop without a state, or without an adjoint and a gradient, has nothing to reverse}}
  %y = pebble.adjoint_loop %n states(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    pebble.yield %s : f32
  } adjoint {
  ^bb0(%i: index, %s: f32):
    pebble.yield
  }
  return
}

// -----

func.func @d37_negative(%x: f32) {
  %n = arith.constant -2 : index
  // expected-error@+1 {{[D37] the trip count is -2, which may not be negative}}
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    pebble.yield %s : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %a: f32):
    pebble.yield %a : f32
  }
  return
}

// -----

func.func @d38_no_index(%n: index, %x: f32) {
  // expected-error@+1 {{[D38] the block of 'primal' takes ('f32'), wanted ('index', 'f32')}}
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%s: f32):
    pebble.yield %s : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %a: f32):
    pebble.yield %a : f32
  }
  return
}

// -----

func.func @d38_turn_takes_no_index(%n: index, %x: f32) {
  // expected-error@+1 {{[D38] the block of 'turn' takes ('index', 'f32', 'f32'), wanted ('f32', 'f32')}}
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    pebble.yield %s : f32
  } turn {
  ^bb0(%i: index, %s: f32, %a: f32):
    pebble.yield %s : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %a: f32):
    pebble.yield %a : f32
  }
  return
}

// -----

func.func @d39_adjoint_yields_the_state_too(%n: index, %x: f32) {
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    pebble.yield %s : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %a: f32):
    // expected-error@+1 {{[D39] 'adjoint' yields ('f32', 'f32'), wanted ('f32')}}
    pebble.yield %s, %a : f32, f32
  }
  return
}

// -----

func.func @d39_another_end(%n: index, %x: f32) {
  // expected-error@+1 {{[D39] the block of 'primal' does not end with pebble.yield}}
  %r:2 = "pebble.adjoint_loop"(%n, %x, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index, %s: f32):
    "any.end"(%s) : (f32) -> ()
  }, {
  }, {
  ^bb0(%i: index, %s: f32, %a: f32):
    pebble.yield %a : f32
  }) : (index, f32, f32) -> (f32, f32)
  return
}

// -----

func.func @d40_negative(%x: f32) {
  // expected-error@+3 {{[D40] 'pebble.reversal' must be a dictionary of counts (i64) that are not negative}}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
  } {pebble.reversal = {slots = -1}}
  return
}

// -----

func.func @d40_negative_runs(%x: f32) {
  // expected-error@+3 {{[D40] 'pebble.runs' is -1, which may not be negative}}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
  } {pebble.runs = -1}
  return
}

// -----

// expected-error@+1 {{[D40] 'pebble.reversal' stands on a loop}}
func.func @d40_no_loop(%x: f32) attributes {pebble.reversal = {slots = 1}} {
  return
}

// -----

func.func @d41_another_shape(%x: tensor<8xf32>, %kept: tensor<4x9xf32, #pebble.at<"host">>, %i: index) {
  // expected-error@+1 {{[D45] 'tensor<4x9xf32, #pebble.at<"host">>' is no array of tensors of type 'tensor<8xf32>'}}
  %now = pebble.save %x into %kept[%i] : tensor<8xf32> into tensor<4x9xf32, #pebble.at<"host">>
  return
}

// -----

func.func @d41_negative(%x: tensor<8xf32>, %kept: tensor<4x8xf32, #pebble.at<"host">>, %i: index) {
  // expected-error@+1 {{[D45] 'times' may not be negative}}
  %now = pebble.save %x into %kept[%i] {times = -1 : i64} : tensor<8xf32> into tensor<4x8xf32, #pebble.at<"host">>
  return
}

// -----

func.func @d42_no_tier(%x: tensor<8xf32>, %kept: tensor<4x8xf32>, %i: index) {
  // expected-error@+1 {{[D49] the array is in a tier slower than the compute tier, which its type must name}}
  %y = pebble.restore %kept[%i] into %x : tensor<4x8xf32> into tensor<8xf32>
  return
}

// -----

func.func @d42_two_slow_tiers(%x: tensor<8xf32, #pebble.at<"disk">>, %kept: tensor<4x8xf32, #pebble.at<"host">>, %i: index) {
  // expected-error@+1 {{[D49] the state is in the compute tier, not in 'disk'}}
  %y = pebble.restore %kept[%i] into %x : tensor<4x8xf32, #pebble.at<"host">> into tensor<8xf32, #pebble.at<"disk">>
  return
}
