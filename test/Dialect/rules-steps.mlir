// RUN: pebble-opt %s --split-input-file --verify-diagnostics

func.func @d51_other_arguments(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D51] has inputs of other types than its block takes}}
  pebble.step %x : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<8xf32>):
    pebble.yield
  }
  return
}

// -----

func.func @d52_other_results(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D52] has results of other types than its block yields}}
  %y = pebble.step %x : (tensor<4xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<4xf32>):
    pebble.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @d52_no_yield(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D52] has results of other types than its block yields}}
  pebble.step %x : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    "any.end"() : () -> ()
  }
  return
}

// -----

func.func @d53_too_few(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D53] has 1 results, and 'overwrites' speaks of 0}}
  %y = pebble.step %x {overwrites = array<i64>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    pebble.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @d53_no_such_input(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D53] has no input #1 to overwrite}}
  %y = pebble.step %x {overwrites = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    pebble.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @d53_another_type(%x: tensor<4xf32>, %z: tensor<8xf32>) {
  // expected-error@+1 {{[D53] cannot put 'tensor<4xf32>' in the place of 'tensor<8xf32>'}}
  %y = pebble.step %x, %z {overwrites = array<i64: 1>} : (tensor<4xf32>, tensor<8xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>, %b: tensor<8xf32>):
    pebble.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @d53_twice(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D53] overwrites input #0 twice}}
  %y:2 = pebble.step %x {overwrites = array<i64: 0, 0>} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    pebble.yield %a, %a : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

func.func @d54_negative(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D54] needs no fewer than 0 bytes of scratch}}
  pebble.step %x {scratch = -1 : i64} : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    pebble.yield
  }
  return
}
