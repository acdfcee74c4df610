// RUN: pebble-opt %s --split-input-file --verify-diagnostics

// D64 to D67 hold for what is started as well.
func.func @divided(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[D64] cannot divide 6 ranks into groups of 4 with stride 1}}
  %0, %t = pebble.collective_start all_reduce %x into %y group = 4 stride = 1 ranks = 6 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  %1 = pebble.collective_wait %t for %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// D90: what sends nothing is not started.
func.func @sliced(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{[D90] an all_slice sends nothing that could be waited for}}
  %0, %t = pebble.collective_start all_slice %x into %y group = 2 stride = 1 ranks = 2 : tensor<4xf32>, tensor<2xf32> -> tensor<2xf32>
  %1 = pebble.collective_wait %t for %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// D91: each start has its wait, and one.
func.func @never(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{[D91] is waited for exactly once, in the block in which it starts}}
  %t = pebble.collective_start all_reduce %x into %y group = 2 stride = 1 ranks = 2 : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @twice(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{[D91] is waited for exactly once, in the block in which it starts}}
  %t = pebble.collective_start all_reduce %x into %y group = 2 stride = 1 ranks = 2 : memref<4xf32>, memref<4xf32>
  pebble.collective_wait %t
  pebble.collective_wait %t
  return
}

// -----

func.func @elsewhere(%x: memref<4xf32>, %y: memref<4xf32>, %c: i1) {
  // expected-error@+1 {{[D91] is waited for exactly once, in the block in which it starts}}
  %t = pebble.collective_start all_reduce %x into %y group = 2 stride = 1 ranks = 2 : memref<4xf32>, memref<4xf32>
  scf.if %c {
    pebble.collective_wait %t
  }
  return
}

// -----

// D92: until then nobody touches what is under way.
func.func @read(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-note@+1 {{it starts here}}
  %0, %t = pebble.collective_start all_reduce %x into %y group = 2 stride = 1 ranks = 2 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // expected-error@+1 {{[D92] the result is used before the collective has ended}}
  %2 = arith.addf %0, %x : tensor<4xf32>
  %1 = pebble.collective_wait %t for %0 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @dropped(%x: tensor<4xf32> {pebble.donated}, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{it starts here}}
  %0, %t = pebble.collective_start all_reduce %x into %y group = 2 stride = 1 ranks = 2 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // expected-error@+1 {{[D92] the input is dropped before the collective has ended}}
  pebble.drop %x : tensor<4xf32>
  %1 = pebble.collective_wait %t for %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @filled(%x: memref<4xf32>, %y: memref<4xf32>, %i: index) -> f32 {
  // expected-note@+1 {{it starts here}}
  %t = pebble.collective_start all_reduce %x into %y group = 2 stride = 1 ranks = 2 : memref<4xf32>, memref<4xf32>
  // expected-error@+1 {{[D92] the destination is used before the collective has ended}}
  %0 = memref.load %y[%i] : memref<4xf32>
  pebble.collective_wait %t
  return %0 : f32
}

// -----

func.func @written(%x: memref<4xf32>, %y: memref<4xf32>, %i: index, %v: f32) {
  // expected-note@+1 {{it starts here}}
  %t = pebble.collective_start all_reduce %x into %y group = 2 stride = 1 ranks = 2 : memref<4xf32>, memref<4xf32>
  %0 = memref.load %x[%i] : memref<4xf32>
  // expected-error@+1 {{[D92] the input is written before the collective has ended}}
  memref.store %v, %x[%i] : memref<4xf32>
  pebble.collective_wait %t
  return
}

// -----

// D93: a wait is for a start.
func.func @other_token(%t: !pebble.token) {
  // expected-error@+1 {{[D93] takes the token of a pebble.collective_start}}
  pebble.collective_wait %t
  return
}

// -----

func.func @without_result(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0, %t = pebble.collective_start all_reduce %x into %y group = 2 stride = 1 ranks = 2 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  // expected-error@+1 {{[D93] takes what its token came with: 'for'}}
  pebble.collective_wait %t
  return %x : tensor<4xf32>
}
