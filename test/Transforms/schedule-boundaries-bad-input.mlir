// RUN: pebble-opt %s --pebble-schedule="budget-bytes=100000" --split-input-file --verify-diagnostics -o /dev/null

#two = #pebble.hierarchy<[<"fast", kind = explicit>, <"slow", kind = explicit>]>
module attributes {pebble.hierarchy = #two} {
  // expected-error @below {{argument 0 cannot be in tier 'slow': its type 'memref<4xf32>' has no place to say so}}
  func.func @a_buffer_is_where_its_type_says(%m: memref<4xf32> {pebble.tier = "slow"}) {
    return
  }
}

// -----

#two = #pebble.hierarchy<[<"fast", kind = explicit>, <"slow", kind = explicit>]>
module attributes {pebble.hierarchy = #two} {
  // expected-error @below {{changes the type of the function, and others call it: write the placement in the types}}
  func.func @callee(%m: tensor<4xf32> {pebble.tier = "slow"}) -> tensor<4xf32> {
    return %m : tensor<4xf32>
  }
  func.func @caller(%m: tensor<4xf32>) -> tensor<4xf32> {
    %r = call @callee(%m) : (tensor<4xf32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
}

// -----

#two = #pebble.hierarchy<[<"fast", kind = explicit>, <"slow", kind = explicit>]>
module attributes {pebble.hierarchy = #two} {
  // expected-error @below {{pebble.tier on arguments and results of a function with several blocks is not followed}}
  func.func @several_blocks(%m: tensor<4xf32> {pebble.tier = "slow"}) -> tensor<4xf32> {
    cf.br ^end
  ^end:
    return %m : tensor<4xf32>
  }
}

// -----

#two = #pebble.hierarchy<[<"fast", kind = explicit>, <"slow", kind = explicit>]>
module attributes {pebble.hierarchy = #two} {
  // expected-error @below {{[D18] 'pebble.tier' must be a string}}
  func.func @no_tier(%m: tensor<4xf32>) -> (tensor<4xf32> {pebble.tier = 3}) {
    return %m : tensor<4xf32>
  }
}
