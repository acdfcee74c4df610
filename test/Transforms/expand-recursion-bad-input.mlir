// RUN: pebble-opt %s --split-input-file --verify-diagnostics --pebble-expand-recursion

// expected-error@+1 {{[D80] 'pebble.recursion_depth' must be a number from 1 (i64)}}
func.func private @f(%x: f32) -> f32 attributes {pebble.recursion_depth = 0 : i64} {
  return %x : f32
}

// -----

func.func private @f(%x: f32) -> f32 {
  // expected-error@+1 {{[D80] 'pebble.recursion_depth' stands on a function}}
  %y = math.sin %x {pebble.recursion_depth = 2 : i64} : f32
  return %y : f32
}

// -----

// expected-error@+1 {{the recursion of a function that returns 'memref<4xf32>' cannot be written out: results are numbers and tensors of known shape}}
func.func private @f(%x: memref<4xf32>) -> memref<4xf32> attributes {pebble.recursion_depth = 2 : i64} {
  %y = call @f(%x) : (memref<4xf32>) -> memref<4xf32>
  return %y : memref<4xf32>
}

// -----

// expected-error@+1 {{'pebble.recursion_depth' makes more than 10000 functions of 1}}
func.func private @f(%x: f32) -> f32 attributes {pebble.recursion_depth = 1000000 : i64} {
  %y = call @f(%x) : (f32) -> f32
  return %y : f32
}
