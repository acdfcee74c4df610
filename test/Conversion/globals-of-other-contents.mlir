// A global that is neither a number nor a tensor of numbers is an error where it stands,
// whether tensors stand beside it or not.
// RUN: pebble-opt %s -split-input-file -verify-diagnostics --pebble-bufferize

// expected-error @below {{the content of this global is neither a number nor a tensor of numbers, or another module gives it}}
ml_program.global private mutable @complex([1.0 : f32, 2.0 : f32]) : complex<f32>
func.func @beside_a_tensor(%x: tensor<8xf32>) -> f32 {
  %z = ml_program.global_load @complex : complex<f32>
  %r = complex.re %z : complex<f32>
  return %r : f32
}

// -----

// expected-error @below {{it can be analysed but not run}}
ml_program.global private @elsewhere(#ml_program.extern<i32>) : i32
func.func @of_another_module() -> i32 {
  %k = ml_program.global_load_const @elsewhere : i32
  return %k : i32
}

// -----

// expected-error @below {{it can be analysed but not run}}
ml_program.global private mutable @empty : tensor<4xf32>
func.func @without_a_content(%x: tensor<8xf32>) {
  return
}

// -----

// expected-error @below {{it can be analysed but not run}}
ml_program.global private mutable @unranked(dense<1.0> : tensor<8xf32>) : tensor<*xf32>
func.func @of_no_rank(%x: memref<8xf32>) {
  return
}
