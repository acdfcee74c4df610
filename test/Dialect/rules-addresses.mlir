// RUN: pebble-opt %s --split-input-file --verify-diagnostics

// D50: what addresses were planned for stands beside their extent.
// expected-error@+1 {{[D50] 'pebble.lives' is a string on a function with 'pebble.extent'}}
func.func @d50_alone() attributes {pebble.lives = "0123456789abcdef"} {
  return
}

// -----

// expected-error@+1 {{[D50] 'pebble.lives' is a string on a function with 'pebble.extent'}}
func.func @d50_number() attributes {pebble.extent = {default = 64 : i64}, pebble.lives = 1 : i64} {
  return
}

// -----

func.func @d50(%x: tensor<4xf32> {pebble.offset = 0 : i64})
    attributes {pebble.extent = {default = 64 : i64}, pebble.lives = "0123456789abcdef"} {
  return
}

// -----

// D41: a buffer begins at a multiple of 64, on what allocates it.
func.func @d41_unaligned() attributes {pebble.extent = {default = 128 : i64}} {
  // expected-error@+1 {{[D41] 'pebble.offset' must be a multiple of 64 (i64)}}
  %a = memref.alloc() {pebble.offset = 32 : i64} : memref<4xf32>
  return
}

// -----

func.func @d41_negative() attributes {pebble.extent = {default = 128 : i64}} {
  // expected-error@+1 {{[D41] 'pebble.offset' must be a multiple of 64 (i64)}}
  %a = memref.alloc() {pebble.offset = -64 : i64} : memref<4xf32>
  return
}

// -----

func.func @d41_width() attributes {pebble.extent = {default = 128 : i64}} {
  // expected-error@+1 {{[D41] 'pebble.offset' must be a multiple of 64 (i64)}}
  %a = memref.alloc() {pebble.offset = 64 : i32} : memref<4xf32>
  return
}

// -----

func.func @d41_place(%x: tensor<4xf32>) attributes {pebble.extent = {default = 128 : i64}} {
  // expected-error@+1 {{[D41] 'pebble.offset' stands on what allocates a buffer, and 'math.exp' does not}}
  %a = math.exp %x {pebble.offset = 0 : i64} : tensor<4xf32>
  return
}

// -----

// expected-error@+1 {{[D41] 'pebble.offset' on argument 0, which is no buffer}}
func.func private @d41_scalar(f32 {pebble.offset = 0 : i64}) attributes {pebble.extent = {default = 64 : i64}}

// -----

// A transfer into a destination that is there makes no buffer.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit>, <"blue", kind = explicit>]>} {
  func.func @d41_destination(%x: tensor<4xf32>, %d: tensor<4xf32, #pebble.at<"blue">>) attributes {pebble.extent = {blue = 64 : i64}} {
    // expected-error@+1 {{[D41] 'pebble.offset' stands on what allocates a buffer}}
    %copy, %token = pebble.store %x into %d {pebble.offset = 0 : i64} : tensor<4xf32> -> tensor<4xf32, #pebble.at<"blue">>
    %there = pebble.wait %token for %copy : tensor<4xf32, #pebble.at<"blue">>
    return
  }
}

// -----

// D42: extents are bytes by tier, on a function.
func.func @d42_place(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D42] 'pebble.extent' is a dictionary on a function}}
  "any.op"(%x) {pebble.extent = {default = 64 : i64}} : (tensor<4xf32>) -> ()
  return
}

// -----

// expected-error@+1 {{[D42] 'pebble.extent' is a dictionary on a function}}
func.func private @d42_dictionary() attributes {pebble.extent = 64 : i64}

// -----

// expected-error@+1 {{[D42] the extent of tier 'default' in 'pebble.extent' must be a multiple of 64 (i64)}}
func.func private @d42_bytes() attributes {pebble.extent = {default = 100 : i64}}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"l1", kind = cache, capacity = 64>, <"red", kind = explicit>]>} {
  // expected-error@+1 {{[D9] the hierarchy has no tier 'blue', which 'pebble.extent' names}}
  func.func private @d42_tier() attributes {pebble.extent = {blue = 64 : i64}}
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"l1", kind = cache, capacity = 64>, <"red", kind = explicit>]>} {
  // expected-error@+1 {{[D9] nothing can be placed in cache tier 'l1', which 'pebble.extent' names}}
  func.func private @d42_cache() attributes {pebble.extent = {l1 = 64 : i64}}
}

// -----

// D43: what has an offset ends within the extent.
func.func @d43_alone() {
  // expected-error@+1 {{[D43] 'pebble.offset' means something in a function with 'pebble.extent' alone}}
  %a = memref.alloc() {pebble.offset = 0 : i64} : memref<4xf32>
  return
}

// -----

func.func @d43_beyond() attributes {pebble.extent = {default = 128 : i64}} {
  // expected-error@+1 {{[D43] 128 bytes at 'pebble.offset' 64 end beyond the extent of tier 'default', 128 bytes}}
  %a = memref.alloc() {pebble.offset = 64 : i64} : memref<32xf32>
  return
}

// -----

// expected-error@+1 {{[D43] 64 bytes at 'pebble.offset' 9223372036854775744 end beyond the extent of tier 'default', 128 bytes}}
func.func private @d43_argument(tensor<16xf32> {pebble.offset = 9223372036854775744 : i64}) attributes {pebble.extent = {default = 128 : i64}}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit>, <"blue", kind = explicit>]>} {
  // expected-error@+1 {{[D43] 'pebble.offset' in tier 'blue', which 'pebble.extent' lacks}}
  func.func private @d43_tier(tensor<4xf32, #pebble.at<"blue">> {pebble.offset = 0 : i64}) attributes {pebble.extent = {red = 64 : i64}}
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit>, <"blue", kind = explicit>]>} {
  func.func private @placed(tensor<4xf32, #pebble.at<"blue">> {pebble.offset = 64 : i64}, tensor<4xf32> {pebble.offset = 0 : i64})
      attributes {pebble.extent = {blue = 128 : i64, red = 64 : i64}}
}
