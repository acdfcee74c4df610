// RUN: pebble-opt %s --split-input-file --verify-diagnostics --pebble-checkpoint-loops="slots=2"

func.func @a_state_no_slot_can_hold(%n: index, %x: memref<8xf32>, %a: f32) {
  // expected-error@+1 {{state 0 is of type 'memref<8xf32>', which no slot can hold: a slot holds numbers, and tensors of known shape without an encoding}}
  %y, %dx = pebble.adjoint_loop %n states(%x : memref<8xf32>) adjoints(%a : f32) primal {
  ^bb0(%i: index, %s: memref<8xf32>):
    pebble.yield %s : memref<8xf32>
  } adjoint {
  ^bb0(%i: index, %s: memref<8xf32>, %b: f32):
    pebble.yield %b : f32
  }
  return
}

// -----

func.func @a_state_that_may_grow(%n: index, %x: tensor<?xf32>, %a: f32) {
  // expected-error@+1 {{state 0 is of type 'tensor<?xf32>', which no slot can hold}}
  %y, %dx = pebble.adjoint_loop %n states(%x : tensor<?xf32>) adjoints(%a : f32) primal {
  ^bb0(%i: index, %s: tensor<?xf32>):
    pebble.yield %s : tensor<?xf32>
  } adjoint {
  ^bb0(%i: index, %s: tensor<?xf32>, %b: f32):
    pebble.yield %b : f32
  }
  return
}

// -----

func.func @a_step_that_writes(%n: index, %x: f32, %m: memref<f32>) {
  // expected-note@+1 {{the loop is here}}
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    // expected-error@+1 {{a step of this loop may run more than once, and 'memref.store' writes memory from outside}}
    memref.store %s, %m[] : memref<f32>
    pebble.yield %s : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %b: f32):
    pebble.yield %b : f32
  }
  return
}

// -----

func.func @a_step_that_reads_what_the_adjoint_writes(%n: index, %x: f32, %m: memref<f32>) {
  // expected-note@+1 {{the loop is here}}
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    // expected-error@+1 {{a step of this loop may run more than once, and 'memref.load' reads memory that may have changed since}}
    %next = memref.load %m[] : memref<f32>
    pebble.yield %next : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %b: f32):
    memref.store %b, %m[] : memref<f32>
    pebble.yield %b : f32
  }
  return
}

// -----

func.func @a_step_of_unknown_effects(%n: index, %x: f32) {
  // expected-note@+1 {{the loop is here}}
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    // expected-error@+2 {{a step of this loop may run more than once, and 'any.step' is not registered and may have any effect}}
    // expected-note@+1 {{'pure=any.step' says that it has no effects; outside of what runs again it runs once}}
    %next = "any.step"(%s) : (f32) -> f32
    pebble.yield %next : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %b: f32):
    pebble.yield %b : f32
  }
  return
}

// -----

func.func private @print(f32)
func.func @a_step_that_calls(%n: index, %x: f32) {
  // expected-note@+1 {{the loop is here}}
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    // expected-error@+2 {{a step of this loop may run more than once, and 'func.call' calls a function whose effects are not known}}
    // expected-note@+1 {{a function with a body says what it does}}
    func.call @print(%s) : (f32) -> ()
    pebble.yield %s : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %b: f32):
    pebble.yield %b : f32
  }
  return
}
