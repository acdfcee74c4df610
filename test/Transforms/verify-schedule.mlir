// A plan that no longer holds is named where it broke.
// RUN: pebble-opt %s --pebble-verify-schedule --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @not_planned
func.func @not_planned(%x: tensor<16xf32>) -> tensor<16xf32> {
  %d = bufferization.alloc_tensor() : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

// expected-error @below {{the plan says a peak of 64 bytes, but the function takes 128 bytes}}
func.func @peak_has_grown(%x: tensor<16xf32>) -> tensor<16xf32> attributes {pebble.result = {peak_bytes = 64}} {
  %d = bufferization.alloc_tensor() : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

// Less is no harm: what nobody uses may have gone since.
// CHECK-LABEL: func @peak_has_shrunk
func.func @peak_has_shrunk(%x: tensor<16xf32>) -> tensor<16xf32> attributes {pebble.result = {peak_bytes = 192}} {
  %d = bufferization.alloc_tensor() : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

// The drop names another value than the use: the storage is the same.
func.func @successor_in_place_used_after_the_drop(%x: tensor<16xf32>) -> tensor<16xf32> attributes {pebble.result = {peak_bytes = 192}} {
  %d = bufferization.alloc_tensor() : tensor<16xf32>
  %a = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.exp ins(%a : tensor<16xf32>) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  // expected-note @below {{'pebble.drop' stands here}}
  pebble.drop %a : tensor<16xf32>
  %e = bufferization.alloc_tensor() : tensor<16xf32>
  // expected-error @below {{storage used after its end in the program that came in}}
  %y = linalg.exp ins(%b : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

func.func @view_used_after_the_drop(%x: tensor<16xf32>) -> tensor<8xf32> attributes {pebble.result = {peak_bytes = 192}} {
  %d = bufferization.alloc_tensor() : tensor<16xf32>
  %a = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  %v = tensor.extract_slice %a[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
  // expected-note @below {{'pebble.drop' stands here}}
  pebble.drop %a : tensor<16xf32>
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  // expected-error @below {{storage used after its end in the program that came in}}
  %y = linalg.exp ins(%v : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @nothing_keeps_the_clone_apart(%s: f32) -> tensor<16xf32> attributes {pebble.result = {peak_bytes = 192}} {
  // expected-note @below {{the first stands here}}
  %a = tensor.splat %s : tensor<16xf32>
  %e = bufferization.alloc_tensor() : tensor<16xf32>
  %b = linalg.exp ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  pebble.drop %a : tensor<16xf32>
  // expected-error @below {{runs again but is equal to the first: its operands must come through pebble.opaque}}
  %c = tensor.splat %s : tensor<16xf32>
  %y = linalg.add ins(%b, %c : tensor<16xf32>, tensor<16xf32>) outs(%b : tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
