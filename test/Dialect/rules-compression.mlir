// RUN: pebble-opt %s --split-input-file --verify-diagnostics

// What holds stands for both codecs, with the attribute as it is printed.
func.func private @holds(memref<?x8xf16, #pebble.at<"host", compress = bitmask, density_percent = 100, rows = true>>)

// -----

// D46: a density belongs to a bitmask, and rows to what is compressed.
// expected-error@+1 {{[D46] 'compress = bitmask' needs a 'density_percent' of 1 to 100, got 0}}
func.func private @d46_no_density(memref<8xf32, #pebble.at<"host", compress = bitmask>>)

// -----

// expected-error@+1 {{[D46] 'compress = bitmask' needs a 'density_percent' of 1 to 100, got 101}}
func.func private @d46_too_dense(memref<8xf32, #pebble.at<"host", compress = bitmask, density_percent = 101>>)

// -----

// expected-error@+1 {{[D46] 'density_percent' belongs to 'compress = bitmask'}}
func.func private @d46_density_of_bits(memref<8xf32, #pebble.at<"host", compress = bits, density_percent = 10>>)

// -----

// expected-error@+1 {{[D46] 'rows' belongs to compressed values}}
func.func private @d46_rows(memref<8xf32, #pebble.at<"host", rows = true>>)

// -----

// expected-error@+1 {{[D46] elements of type 'complex<f64>' cannot be kept compressed: they take 1, 2, 4 or 8 bytes each}}
func.func private @d46_elements(tensor<8xcomplex<f64>, #pebble.at<"host", compress = bits>>)

// -----

// expected-error@+1 {{[D46] a tensor without dimensions has no rows}}
func.func private @d46_scalar(tensor<f32, #pebble.at<"host", compress = bits, rows = true>>)

// -----

// D47: what is compressed is in a slower tier, and the business of one function.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>]>} {
  // expected-error@+1 {{[D47] a value that is kept compressed does not cross the boundary of a function, and 'tensor<8xf32, #pebble.at<"host", compress = bits>>' does}}
  func.func private @d47_boundary(tensor<8xf32, #pebble.at<"host", compress = bits>>)
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>]>} {
  func.func @d47_compute_tier() {
    // expected-error@+1 {{[D47] operations need the values of the compute tier 'hbm' as they are, not compressed}}
    %x = bufferization.alloc_tensor() : tensor<8xf32, #pebble.at<"hbm", compress = bits>>
    return
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>]>} {
  func.func @d10_another_codec(%x: tensor<8xf32>) {
    %away, %t = pebble.store %x : tensor<8xf32> -> tensor<8xf32, #pebble.at<"host", compress = bits>>
    %y = pebble.wait %t for %away : tensor<8xf32, #pebble.at<"host", compress = bits>>
    // expected-error@+1 {{[D10] a cast cannot change how a value is kept}}
    %z = tensor.cast %y : tensor<8xf32, #pebble.at<"host", compress = bits>> to tensor<?xf32, #pebble.at<"host">>
    return
  }
}

// -----

// D48: a transfer moves one value, a saved state is one.
func.func @d48_rows(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[D48] a transfer moves one value, and the rows of 'tensor<4x8xf32, #pebble.at<"host", compress = bits, rows = true>>' are compressed one by one}}
  %away, %t = pebble.store %x : tensor<4x8xf32> -> tensor<4x8xf32, #pebble.at<"host", compress = bits, rows = true>>
  %y = pebble.wait %t for %away : tensor<4x8xf32, #pebble.at<"host", compress = bits, rows = true>>
  return
}

// -----

func.func @d48_whole_array(%x: tensor<8xf32>, %i: index) {
  %kept = bufferization.alloc_tensor() : tensor<4x8xf32, #pebble.at<"host", compress = bits>>
  // expected-error@+1 {{[D48] a compressed array keeps each of its states by itself: 'rows = true'}}
  %now = pebble.save %x into %kept[%i] : tensor<8xf32> into tensor<4x8xf32, #pebble.at<"host", compress = bits>>
  return
}

// -----

// Elements that cannot be read are told once, by the parser.
// expected-error@+1 {{expected non-function type}}
func.func private @elements_that_are_none(tensor<4xfoo, #pebble.at<"host", compress = bits>>)
