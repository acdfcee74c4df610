// RUN: pebble-opt %s --split-input-file --verify-diagnostics

// D64: ranks are divided into groups.
func.func @divided(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[D64] cannot divide 6 ranks into groups of 4 with stride 1}}
  %0 = pebble.collective all_reduce %x into %y group = 4 stride = 1 ranks = 6 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @positive(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[D64] has 1 to 1048576 ranks, and groups and strides of at least 1, not 6, 0 and 1}}
  %0 = pebble.collective all_reduce %x into %y group = 0 stride = 1 ranks = 6 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// D65: the shapes fit the kind.
func.func @gathered(%x: tensor<4x2xf32>, %y: tensor<4x2xf32>) -> tensor<4x2xf32> {
  // expected-error@+1 {{[D65] dimension 1 has 2 elements in the input and 2 in the result, in a group of 2 ranks}}
  %0 = pebble.collective all_gather %x into %y group = 2 stride = 1 ranks = 2 axis = 1 : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// A part of 5 elements in 2 does not come out whole.
func.func @scattered(%x: tensor<5xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{[D65] dimension 0 has 5 elements in the input and 2 in the result, in a group of 2 ranks}}
  %0 = pebble.collective reduce_scatter %x into %y group = 2 stride = 1 ranks = 2 : tensor<5xf32>, tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @no_dimension(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[D65] the input has no dimension 0}}
  %0 = pebble.collective all_gather %x into %y group = 2 stride = 1 ranks = 2 : tensor<f32>, tensor<f32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @root(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[D65] a group of 2 ranks has no rank number 2}}
  %0 = pebble.collective broadcast %x into %y group = 2 stride = 1 ranks = 2 axis = 2 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @types(%x: tensor<4xf32>, %y: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error@+1 {{[D65] takes and gives elements of one type, and as many dimensions}}
  %0 = pebble.collective all_reduce %x into %y group = 2 stride = 1 ranks = 2 : tensor<4xf32>, tensor<4xf64> -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

// D66: MPI can do it.
func.func @elements(%x: tensor<4xf16>, %y: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error@+1 {{[D66] cannot put elements of type 'f16' together: MPI has no such reduction}}
  %0 = pebble.collective all_reduce %x into %y group = 2 stride = 1 ranks = 2 : tensor<4xf16>, tensor<4xf16> -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @behind_each_other(%x: tensor<4x4xf32>, %y: tensor<4x2xf32>) -> tensor<4x2xf32> {
  // expected-error@+1 {{[D66] the parts of a reduce_scatter lie one behind the other: they are along dimension 0, not 1}}
  %0 = pebble.collective reduce_scatter %x into %y group = 2 stride = 1 ranks = 2 axis = 1 : tensor<4x4xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

// D67: results belong to tensors.
func.func @result(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{[D67] on tensors has a result of the type of its destination, and on memrefs none}}
  %0 = pebble.collective all_reduce %x into %y group = 2 stride = 1 ranks = 2 : memref<4xf32>, memref<4xf32> -> tensor<4xf32>
  return
}
