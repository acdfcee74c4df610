// expected-error @below {{no function has the attribute pebble.stitched}}
module {}

// -----

// expected-error @below {{the backward function has no argument of its own}}
func.func @nothing_tells_where_it_begins(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 1, results = 1}} {
  %e = math.exp %x : tensor<8xf32>
  return %x, %e : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @loss_needs_the_gradient(%x: tensor<8xf32>, %d: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 1, results = 1}} {
  // expected-error @below {{result 0 of the forward function needs this operation, which depends on an argument that the forward function does not have}}
  %e = arith.mulf %x, %d : tensor<8xf32>
  return %e, %e : tensor<8xf32>, tensor<8xf32>
}

// -----

// expected-error @below {{result 0 is one of the forward function, and depends on argument 1, which that one does not have}}
func.func @loss_is_the_gradient(%x: tensor<8xf32>, %d: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 1, results = 1}} {
  %e = arith.mulf %x, %d : tensor<8xf32>
  return %d, %e : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @effects_do_not_go_forward(%x: f32, %m: memref<f32>, %d: f32) -> (f32, f32)
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 2, results = 1}} {
  %e = arith.mulf %x, %d : f32
  memref.store %e, %m[] : memref<f32>
  // expected-error @below {{the results of the forward function need this operation, which has effects and stands after operations of the backward function}}
  %y = memref.load %m[] : memref<f32>
  return %y, %e : f32, f32
}

// -----

func.func @f() {
  return
}
// expected-error @below {{there is a symbol 'f' already; name the forward function by forward=NAME}}
func.func @taken(%x: f32, %d: f32) -> (f32, f32)
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 1, results = 1}} {
  %e = arith.mulf %x, %d : f32
  return %x, %e : f32, f32
}

// -----

// expected-error @below {{size of tensor<?xf32> is not known}}
func.func @unknown_sizes(%x: tensor<8xf32>, %d: tensor<?xf32>) -> tensor<8xf32>
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 1, results = 1}} {
  return %x : tensor<8xf32>
}
