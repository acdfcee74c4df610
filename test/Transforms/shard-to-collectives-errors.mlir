// RUN: pebble-opt %s --split-input-file --verify-diagnostics --pebble-shard-to-collectives

shard.grid @cube(shape = 2x2x2)
func.func @apart(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{the ranks of a group stand along grid axes that are side by side and in order}}
  %0 = shard.all_reduce %x on @cube grid_axes = [0, 2] : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 2x?)
func.func @unknown(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{how many ranks grid '@grid' has is not known: give all its extents}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 2)
func.func @mean(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{ranks put values together by sum, product, min and max, not by average}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] reduction = average : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

shard.grid @grid(shape = 2)
func.func @half(%x: tensor<8xf16>) -> tensor<8xf16> {
  // expected-error@+1 {{[D66] cannot put elements of type 'f16' together: MPI has no such reduction}}
  %0 = shard.all_reduce %x on @grid grid_axes = [0] : tensor<8xf16> -> tensor<8xf16>
  return %0 : tensor<8xf16>
}
