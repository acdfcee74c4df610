// A planned block in which an update has a storage of its own, and what somebody
// might make of it afterwards: the old version is dropped before it is read again;
// it is overwritten after all.
// RUN: pebble-opt %s --pebble-verify-schedule --split-input-file --verify-diagnostics -o /dev/null

func.func @is_right(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) attributes {pebble.result = {peak_bytes = 256}} {
  %0 = bufferization.alloc_tensor() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
  %1 = bufferization.alloc_tensor() : tensor<16xf32>
  %u = linalg.tanh ins(%a : tensor<16xf32>) outs(%1 : tensor<16xf32>) -> tensor<16xf32>
  %2 = bufferization.alloc_tensor() : tensor<16xf32>
  %m = linalg.negf ins(%a : tensor<16xf32>) outs(%2 : tensor<16xf32>) -> tensor<16xf32>
  pebble.drop %a : tensor<16xf32>
  return %m, %u : tensor<16xf32>, tensor<16xf32>
}

// -----

// Through a view, which the rules of the dialect do not look through.
func.func @old_version_is_dropped_too_early(%x: tensor<16xf32>) -> (tensor<8xf32>, tensor<16xf32>) attributes {pebble.result = {peak_bytes = 256}} {
  %0 = bufferization.alloc_tensor() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
  %1 = bufferization.alloc_tensor() : tensor<16xf32>
  %u = linalg.tanh ins(%a : tensor<16xf32>) outs(%1 : tensor<16xf32>) -> tensor<16xf32>
  %v = tensor.extract_slice %a[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
  // expected-note @below {{'pebble.drop' stands here}}
  pebble.drop %a : tensor<16xf32>
  %2 = bufferization.alloc_tensor() : tensor<8xf32>
  // expected-error @below {{storage used after its end in the program that came in: 'linalg.negf}}
  %m = linalg.negf ins(%v : tensor<8xf32>) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
  return %m, %u : tensor<8xf32>, tensor<16xf32>
}

// -----

// Planned for 192 bytes, as if the update destroyed nothing.
// expected-error @below {{the plan says a peak of 192 bytes, but the function takes 256 bytes}}
func.func @update_is_counted_in_place(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) attributes {pebble.result = {peak_bytes = 192}} {
  %0 = bufferization.alloc_tensor() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%0 : tensor<16xf32>) -> tensor<16xf32>
  %u = linalg.tanh ins(%a : tensor<16xf32>) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  %2 = bufferization.alloc_tensor() : tensor<16xf32>
  %m = linalg.negf ins(%a : tensor<16xf32>) outs(%2 : tensor<16xf32>) -> tensor<16xf32>
  return %m, %u : tensor<16xf32>, tensor<16xf32>
}
