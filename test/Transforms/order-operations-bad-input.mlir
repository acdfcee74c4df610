// What cannot be done is an error at its place.
// RUN: pebble-opt %s --pebble-order-operations --split-input-file --verify-diagnostics -o /dev/null

// expected-error @below {{size of tensor<?xf32> is not known; bound dynamic dimensions with dim-bound}}
func.func @dynamic_shape_without_a_bound(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

func.func @freed_too_early(%x: memref<8xf32> {llvm.noalias}) {
  %m = memref.alloc() {pebble.name = "m"} : memref<8xf32>
  // expected-note @below {{'memref.dealloc' stands here}}
  memref.dealloc %m : memref<8xf32>
  // expected-error @below {{storage used after its end in the program that came in: 'linalg.exp at order-operations-bad-input.mlir:16' uses m after 'memref.dealloc' has freed it}}
  linalg.exp ins(%x : memref<8xf32>) outs(%m : memref<8xf32>)
  return
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"small", kind = explicit, capacity = 4096>]>} {
  // expected-error @below {{x takes 4160 bytes, more than the 4096 bytes of tier 'small'}}
  func.func @larger_than_the_tier(%x: tensor<1025xf32> {pebble.name = "x"}) -> tensor<1025xf32> {
    return %x : tensor<1025xf32>
  }
}

// -----

module {}
