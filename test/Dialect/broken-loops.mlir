// A text that breaks off within or after a loop's regions, while what stands
// around them uses a value of theirs: told, and nothing is touched that has
// been freed.
// REQUIRES: valgrind
// RUN: valgrind -q --error-exitcode=9 pebble-opt %s --split-input-file --verify-diagnostics

func.func @broken_after_the_first_region(%n: index, %x: f32) {
  %early = arith.addf %s, %next : f32
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    %next = arith.mulf %s, %s : f32
    pebble.yield %next : f32
  // expected-error@+1 {{expected 'adjoint'}}
  } and no more
  return
}

// -----

func.func @broken_after_the_turn(%n: index, %x: f32) {
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    %next = arith.mulf %late, %s : f32
    pebble.yield %next : f32
  } turn {
  ^bb0(%t: f32, %late: f32):
    pebble.yield %late : f32
  // expected-error@+1 {{expected 'adjoint'}}
  } adjoints
  return
}

// -----

func.func @broken_within_the_last_region(%n: index, %x: f32) {
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    %next = arith.mulf %late, %s : f32
    pebble.yield %next : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %late: f32):
    // expected-error@+1 {{number of operands and types do not match}}
    pebble.yield %late, %late : f32
  }
  return
}

// -----

func.func @types_are_told_apart(%n: index, %x: f32) { // expected-note {{prior use here}}
  %early = arith.addf %s, %next : f32
  // expected-error@+1 {{use of value '%x' expects different type than prior uses: 'f64' vs 'f32'}}
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f64) primal {
  ^bb0(%i: index, %s: f32):
    %next = arith.mulf %s, %s : f32
    pebble.yield %next : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %a: f32):
    pebble.yield %a : f32
  }
  return
}

// -----

// Empty braces are a block without an end, not a turn that was left out.
func.func @an_empty_turn_is_no_turn(%n: index, %x: f32) {
  // expected-error@+1 {{'pebble.adjoint_loop' op expects a non-empty block}}
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    pebble.yield %s : f32
  } turn {
  } adjoint {
  ^bb0(%i: index, %s: f32, %a: f32):
    pebble.yield %a : f32
  }
  return
}
