// RUN: pebble-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --pebble-checkpoint-calls=mode=joint

// expected-error@+1 {{'pebble.adjoint' names '@nobody', which is no function of this module}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pebble.adjoint = {backward = @nobody, results = 1 : i64}} {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'pebble.adjoint' names the function itself}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pebble.adjoint = {backward = @f, results = 1 : i64}} {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{result 1, of the tape, is 'tensor<4xf32>', and argument 0 of the adjoint '@back' is 'tensor<8xf32>'}}
func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}
func.func private @back(%c: tensor<8xf32>) -> tensor<8xf32> {
  return %c : tensor<8xf32>
}

// -----

// expected-error@+1 {{the adjoint '@back' has 0 arguments and cannot take a tape of 1 values}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pebble.adjoint = {backward = @back, results = 0 : i64}} {
  return %x : tensor<4xf32>
}
func.func private @back() {
  return
}

// -----

// expected-error@+1 {{this function has an adjoint and calls itself, directly or not, so that nothing bounds its tape}}
func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %y = call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %y : tensor<4xf32>, tensor<4xf32>
}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y, %c = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %y : tensor<4xf32>
}
func.func private @back(%c: tensor<4xf32>) -> tensor<4xf32> {
  return %c : tensor<4xf32>
}

// -----

func.func private @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %r = "any.rng"() : () -> tensor<4xf32>
  return %x, %r : tensor<4xf32>, tensor<4xf32>
}
func.func private @back(%c: tensor<4xf32>) -> tensor<4xf32> {
  return %c : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error@+1 {{'pebble.call_mode' asks for a second run, and 'any.rng' is not registered and may have any effect in '@f'}}
  %y, %c = call @f(%x) {pebble.call_mode = "joint"} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %g = call @back(%c) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %g : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error@+1 {{[D55] 'pebble.adjoint' must be {backward = @name, results = n}, n (i64) no more than the function has}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pebble.adjoint = {backward = @back, results = 2 : i64}} {
  return %x : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[D55] 'pebble.adjoint' stands on a function, or on an operation with regions}}
  %y = math.sin %x {pebble.adjoint = {backward = @f, results = 1 : i64}} : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-error@+1 {{[D56] 'pebble.call_mode' must be "split" or "joint"}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pebble.call_mode = "both"} {
  return %x : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[D56] 'pebble.call_mode' stands on a function, a call, or an operation with 'pebble.adjoint'}}
  %y = math.sin %x {pebble.call_mode = "joint"} : tensor<4xf32>
  return %y : tensor<4xf32>
}
