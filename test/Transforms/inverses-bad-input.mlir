// RUN: pebble-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{[D70] 'pebble.inverse' must be {function = @name, operand = n}, n (i64) one of the arguments}}
func.func @beyond(%x: tensor<4xi32>) -> tensor<4xi32> attributes {pebble.inverse = {function = @beyond, operand = 1 : i64}} {
  return %x : tensor<4xi32>
}

// -----

// expected-error@+1 {{[D70] 'pebble.inverse' must be {function = @name, operand = n}, n (i64) one of the arguments}}
func.func @nameless(%x: tensor<4xi32>) -> tensor<4xi32> attributes {pebble.inverse = {operand = 0 : i64}} {
  return %x : tensor<4xi32>
}

// -----

func.func @somewhere(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error@+1 {{[D70] 'pebble.inverse' stands on a function}}
  %y = math.absi %x {pebble.inverse = {function = @somewhere, operand = 0 : i64}} : tensor<4xi32>
  return %y : tensor<4xi32>
}

// -----

// expected-error@+1 {{[D71] 'pebble.allow_rounding' must be a unit attribute}}
module attributes {pebble.allow_rounding = true} {
}

// -----

// expected-error@+1 {{[D71] 'pebble.allow_rounding' stands on a module}}
func.func @rounded(%x: tensor<4xi32>) -> tensor<4xi32> attributes {pebble.allow_rounding} {
  return %x : tensor<4xi32>
}

// -----

// expected-error@+1 {{'pebble.inverses' is not an attribute that Pebble knows on an op; did you mean 'pebble.inverse'?}}
func.func @misspelt(%x: tensor<4xi32>) -> tensor<4xi32> attributes {pebble.inverses} {
  return %x : tensor<4xi32>
}
