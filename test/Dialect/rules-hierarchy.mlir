// RUN: pebble-opt %s --split-input-file --verify-diagnostics

// D1: tiers and placements have names.
// expected-error@+2 {{[D1] a tier needs a name}}
// expected-error@+1 {{failed to parse}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"", kind = explicit>]>} {}

// -----

// expected-error@+1 {{[D1] a placement names a tier}}
func.func private @d1_placement(tensor<4xf32, #pebble.at<"">>)

// -----

// D2: a capacity is positive.
// expected-error@+2 {{[D2] tier 'a' has a capacity of 0 bytes, but a capacity must be positive}}
// expected-error@+1 {{failed to parse}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = explicit, capacity = 0>]>} {}

// -----

// expected-error@+2 {{[D2] tier 'a' has a capacity of -64 bytes, but a capacity must be positive}}
// expected-error@+1 {{failed to parse}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = explicit, capacity = -64>]>} {}

// -----

// D3: a cache has a capacity.
// expected-error@+2 {{[D3] cache tier 'a' needs a capacity}}
// expected-error@+1 {{failed to parse}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = cache>, <"b", kind = explicit>]>} {}

// -----

// D4: figures are not negative.
// expected-error@+2 {{[D4] tier 'a' has latency = -1, which may not be negative}}
// expected-error@+1 {{failed to parse}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = explicit, read = 1, latency = -1>]>} {}

// -----

// expected-error@+2 {{[D4] tier 'a' has latency = 9223372036854775807, but the longest that is counted is 1000000000000000 ns}}
// expected-error@+1 {{failed to parse}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = explicit, latency = 9223372036854775807>]>} {}

// -----

// expected-error@+1 {{[D4] the hierarchy has compute = -2, which may not be negative}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = explicit>], compute = -2>} {}

// -----

// D5: names are unique.
// expected-error@+1 {{[D5] two tiers are named 'a'}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = explicit>, <"a", kind = explicit>]>} {}

// -----

// D6: there is a compute tier.
// expected-error@+1 {{[D6] a hierarchy needs an explicit tier}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = cache, capacity = 64>]>} {}

// -----

// D7: caches come first.
// expected-error@+1 {{[D7] cache tier 'b' comes after explicit tier 'a', but caches come first}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = explicit>, <"b", kind = cache, capacity = 64>]>} {}

// -----

// D8: an inclusive cache holds more than what it includes.
// expected-error@+1 {{[D8] inclusive cache tier 'b' must be larger than 'a', which it includes}}
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = cache, capacity = 64>, <"b", kind = cache, capacity = 64>, <"c", kind = explicit>], inclusion = inclusive>} {}

// -----

// Exclusive caches may have any sizes.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"a", kind = cache, capacity = 64>, <"b", kind = cache, capacity = 64>, <"c", kind = explicit>]>} {}

// -----

// D9: a placement names an explicit tier of the hierarchy.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"l1", kind = cache, capacity = 64>, <"hbm", kind = explicit>]>} {
  // expected-error@+1 {{[D9] the hierarchy has no tier 'host'; it has 'l1', 'hbm'}}
  func.func private @d9_unknown(tensor<4xf32, #pebble.at<"host">>)
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"l1", kind = cache, capacity = 64>, <"hbm", kind = explicit>]>} {
  func.func @d9_cache(%m: memref<4xf32>) {
    // expected-error@+1 {{[D9] nothing can be placed in cache tier 'l1'}}
    %a = memref.alloc() : memref<4xf32, #pebble.at<"l1">>
    return
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>]>} {
  func.func @d9_block_argument(%m: memref<4xf32>) {
    // expected-error@+1 {{[D9] the hierarchy has no tier 'host'}}
    "any.region"() ({
    ^bb0(%t: tensor<4xf32, #pebble.at<"host">>):
      "any.yield"() : () -> ()
    }) : () -> ()
    return
  }
}

// -----

// A nested module with a hierarchy of its own answers for itself.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>]>} {
  module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>]>} {
    func.func private @inner(tensor<4xf32, #pebble.at<"host">>)
  }
}

// -----

// D10: a cast cannot move.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>]>} {
  func.func @d10_tensor_cast(%x: tensor<4xf32>) {
    // expected-error@+1 {{[D10] a cast cannot move a value from the compute tier to tier 'host'; use pebble.store or pebble.load}}
    %y = tensor.cast %x : tensor<4xf32> to tensor<4xf32, #pebble.at<"host">>
    return
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>]>} {
  func.func @d10_memory_space_cast(%x: memref<4xf32, #pebble.at<"host">>) {
    // expected-error@+1 {{[D10] a cast cannot move a value from tier 'host' to tier 'hbm'; use pebble.store or pebble.load}}
    %y = memref.memory_space_cast %x : memref<4xf32, #pebble.at<"host">> to memref<4xf32, #pebble.at<"hbm">>
    return
  }
}

// -----

// A cast that keeps the placement is none of our business, and a value placed
// in the compute tier by name is where a value without a placement is.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>]>} {
  func.func @casts(%x: tensor<4xf32, #pebble.at<"host">>, %y: memref<4xf32>) {
    %0 = tensor.cast %x : tensor<4xf32, #pebble.at<"host">> to tensor<?xf32, #pebble.at<"host">>
    %1 = memref.memory_space_cast %y : memref<4xf32> to memref<4xf32, #pebble.at<"hbm">>
    return
  }
}

// -----

// D11: the hierarchy is one, and stands on a module.
// expected-error@+1 {{[D11] 'pebble.hierarchy' must be a #pebble.hierarchy<[...]>}}
module attributes {pebble.hierarchy = "sutro"} {}

// -----

// expected-error@+1 {{[D11] 'pebble.hierarchy' stands on a module}}
func.func private @d11() attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>]>}

// -----

// D59: groups have names, no two the same.
// expected-error@+2 {{[D59] a group needs a name}}
// expected-error@+1 {{failed to parse}}
module attributes {some.topology = #pebble.topology<[<"", size = 2, bandwidth = 1>], ranks = 2>} {}

// -----

// expected-error@+1 {{[D59] two groups are named 'a'}}
module attributes {some.topology = #pebble.topology<[<"a", size = 2, bandwidth = 1>, <"a", size = 4, bandwidth = 1>], ranks = 4>} {}

// -----

// D60: messages have a price.
// expected-error@+2 {{[D60] group 'a' needs a bandwidth above 0, which prices messages}}
// expected-error@+1 {{failed to parse}}
module attributes {some.topology = #pebble.topology<[<"a", size = 2, latency = 5>], ranks = 2>} {}

// -----

// expected-error@+2 {{[D60] group 'a' has energy = -1, which may not be negative}}
// expected-error@+1 {{failed to parse}}
module attributes {some.topology = #pebble.topology<[<"a", size = 2, bandwidth = 1, energy = -1>], ranks = 2>} {}

// -----

// D61: a group consists of several whole groups of the size before it.
// expected-error@+2 {{[D61] group 'a' has 0 ranks, but a group has 1 to 1048576}}
// expected-error@+1 {{failed to parse}}
module attributes {some.topology = #pebble.topology<[<"a", size = 0, bandwidth = 1>], ranks = 1>} {}

// -----

// expected-error@+1 {{[D61] group 'pod' of 12 ranks does not consist of several groups 'node' of 8}}
module attributes {some.topology = #pebble.topology<[<"node", size = 8, bandwidth = 1>, <"pod", size = 12, bandwidth = 1>], ranks = 12>} {}

// -----

// expected-error@+1 {{[D61] group 'pod' of 8 ranks does not consist of several groups 'node' of 8}}
module attributes {some.topology = #pebble.topology<[<"node", size = 8, bandwidth = 1>, <"pod", size = 8, bandwidth = 1>], ranks = 8>} {}

// -----

// D62: there is a route between any two ranks.
// expected-error@+1 {{[D62] there is no route from rank 0 to rank 8: the widest group 'node' has 8 of 16 ranks}}
module attributes {some.topology = #pebble.topology<[<"node", size = 8, bandwidth = 1>], ranks = 16>} {}

// -----

// expected-error@+1 {{[D62] a topology has at least 1 rank, not 0}}
module attributes {some.topology = #pebble.topology<[<"node", size = 8, bandwidth = 1>], ranks = 0>} {}

// -----

// D63: each rank has a place of its own.
// expected-error@+1 {{[D63] the topology has 2 places for 3 ranks}}
module attributes {some.topology = #pebble.topology<[<"node", size = 8, bandwidth = 1>], ranks = 3, places = [0, 1]>} {}

// -----

// expected-error@+1 {{[D63] rank 1 is at place 8, but group 'node' has places 0 to 7}}
module attributes {some.topology = #pebble.topology<[<"node", size = 8, bandwidth = 1>], ranks = 2, places = [0, 8]>} {}

// -----

// expected-error@+1 {{[D63] rank 2 is at place 1, where another one is}}
module attributes {some.topology = #pebble.topology<[<"node", size = 8, bandwidth = 1>], ranks = 3, places = [0, 1, 1]>} {}

// -----

// expected-error@+1 {{[D68] 'pebble.path' is a string on a module}}
module attributes {pebble.path = 3 : i64} {}

// -----

// expected-error@+1 {{[D68] 'pebble.path' is a string on a module}}
func.func private @d59() attributes {pebble.path = "in::deeper"}
