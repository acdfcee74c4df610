// What cannot be stitched or split is an error at its place.
// RUN: pebble-opt %s --pebble-stitch-backward="forward=f backward=b into=step" --split-input-file --verify-diagnostics -o /dev/null
// RUN: pebble-opt %S/Inputs/stitch-by-position.mlir --pebble-stitch-backward="forward=f backward=b into=step pair-by=position" --split-input-file --verify-diagnostics -o /dev/null
// RUN: pebble-opt %S/Inputs/split-bad-input.mlir --pebble-split-backward --split-input-file --verify-diagnostics -o /dev/null
// RUN: not pebble-opt %S/Inputs/two-halves.mlir --pebble-stitch-backward="forward=f backward=f into=step" 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: error: 'f' cannot be its own backward function
// RUN: not pebble-opt %S/Inputs/two-halves.mlir --pebble-stitch-backward="forward=f backward=b into=f" 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: error: there is a symbol 'f' already
// RUN: not pebble-opt %S/Inputs/two-halves.mlir --pebble-stitch-backward="forward=f backward=b" 2>&1 | FileCheck %s --check-prefix=INTO
// INTO: error: name the function to make by into=NAME
// RUN: not pebble-opt %S/Inputs/two-halves.mlir --pebble-stitch-backward="forward=f into=step" 2>&1 | FileCheck %s --check-prefix=UNNAMED
// UNNAMED: error: name the backward function by backward=NAME
// RUN: not pebble-opt %S/Inputs/two-halves.mlir --pebble-stitch-backward="forward=f backward=b into=step pair-by=type" 2>&1 | FileCheck %s --check-prefix=PAIRING
// PAIRING: 'type'
// RUN: not pebble-opt %S/Inputs/two-halves.mlir --pebble-stitch-backward="forward=f backward=b into=step" --pebble-split-backward="forward=h backward=h" 2>&1 | FileCheck %s --check-prefix=HALVES
// HALVES: error: both halves cannot be called 'h'

// expected-error @below {{there is no function 'f'}}
module {}

// -----

// expected-error @below {{'f' has no body to stitch}}
func.func private @f(tensor<8xf32>) -> (tensor<8xf32> {pebble.name = "e"})
func.func @b(%e: tensor<8xf32> {pebble.name = "e"}) -> tensor<8xf32> {
  return %e : tensor<8xf32>
}

// -----

// expected-error @below {{'f' has several blocks}}
func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32> {pebble.name = "e"}) {
  cf.br ^next
^next:
  return %x : tensor<8xf32>
}
func.func @b(%e: tensor<8xf32> {pebble.name = "e"}) -> tensor<8xf32> {
  return %e : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32> {pebble.name = "e"}) {
  return %x : tensor<8xf32>
}
// expected-error @below {{argument 1 is called 'scale', as no result of 'f' is}}
func.func @b(%e: tensor<8xf32> {pebble.name = "e"}, %s: tensor<8xf32> {pebble.name = "scale"}) -> tensor<8xf32> {
  return %e : tensor<8xf32>
}

// -----

// expected-error @below {{two results of 'f' are called 'e'}}
func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32> {pebble.name = "e"}, tensor<8xf32> {pebble.name = "e"}) {
  return %x, %x : tensor<8xf32>, tensor<8xf32>
}
func.func @b(%e: tensor<8xf32> {pebble.name = "e"}) -> tensor<8xf32> {
  return %e : tensor<8xf32>
}

// -----

func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32> {pebble.name = "e"}) {
  return %x : tensor<8xf32>
}
// expected-error @below {{no argument of 'b' has a pebble.name}}
func.func @b(%e: tensor<8xf32>) -> tensor<8xf32> {
  return %e : tensor<8xf32>
}

// -----

// expected-note @below {{result 0 of 'f'}}
func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32> {pebble.name = "e"}) {
  return %x : tensor<8xf32>
}
// expected-error @below {{argument 1 of 'b' is 'tensor<4xf32>', and what is saved for it is 'tensor<8xf32>'}}
func.func @b(%d: f32, %e: tensor<4xf32> {pebble.name = "e"}) -> tensor<4xf32> {
  return %e : tensor<4xf32>
}
