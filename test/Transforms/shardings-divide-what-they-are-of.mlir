// RUN: pebble-opt %s --split-input-file --verify-diagnostics --pebble-check-shardings
// RUN: not pebble-opt %s --split-input-file --pebble-partition 2>&1 | FileCheck %s

// CHECK: error: dimension 0 has 5 elements, which 2 ranks of grid '@grid' cannot divide
shard.grid @grid(shape = 2)
func.func @odd(%x: tensor<5xf32>) -> tensor<5xf32> {
  // expected-note@+1 {{this sharding divides it}}
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  // expected-error@+1 {{dimension 0 has 5 elements, which 2 ranks of grid '@grid' cannot divide}}
  %y = shard.shard %x to %s : tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

// CHECK: error: dimension 1 has 6 elements, which 4 ranks of grid '@grid' cannot divide
shard.grid @grid(shape = 2x2)
func.func @both_axes(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-note@+1 {{this sharding divides it}}
  %s = shard.sharding @grid split_axes = [[], [0, 1]] : !shard.sharding
  // expected-error@+1 {{dimension 1 has 6 elements, which 4 ranks of grid '@grid' cannot divide}}
  %y = shard.shard %x to %s : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// What divides, and what is not known, is left to others.
shard.grid @grid(shape = 2)
func.func @even(%x: tensor<4xf32>, %y: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %a = shard.shard %x to %s : tensor<4xf32>
  %b = shard.shard %y to %s : tensor<?xf32>
  return %a, %b : tensor<4xf32>, tensor<?xf32>
}

// -----

// CHECK: error: grid '@grid' has no axis 1
shard.grid @grid(shape = 2)
func.func @no_axis(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{grid '@grid' has no axis 1}}
  %s = shard.sharding @grid split_axes = [[1]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK: error: there is no dimension 1 to divide
shard.grid @grid(shape = 2)
func.func @no_dimension(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{this sharding divides it}}
  %s = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  // expected-error@+1 {{there is no dimension 1 to divide}}
  %y = shard.shard %x to %s : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK: error: grid '@grid' has 1 to {{[0-9]+}} ranks, and extents of at least 1
// expected-error@+1 {{grid '@grid' has 1 to 1048576 ranks, and extents of at least 1}}
shard.grid @grid(shape = 0)
func.func @no_ranks(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK: error: grid '@grid' has 1 to {{[0-9]+}} ranks, and extents of at least 1
// expected-error@+1 {{grid '@grid' has 1 to 1048576 ranks, and extents of at least 1}}
shard.grid @grid(shape = 4611686018427387904x4)
func.func @too_many(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = shard.sharding @grid split_axes = [[0, 1]] : !shard.sharding
  %y = shard.shard %x to %s : tensor<4xf32>
  return %y : tensor<4xf32>
}
