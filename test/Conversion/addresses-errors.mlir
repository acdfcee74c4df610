// An allocation that came in below the check is no placement, and is refused.
// RUN: pebble-opt %s --pebble-lower-tiers --split-input-file --verify-diagnostics

func.func @allocates(%x: memref<16xf32> {pebble.offset = 0 : i64}) attributes {pebble.extent = {default = 64 : i64}} {
  // expected-error@+1 {{[D44] an allocation without 'pebble.offset' in a function that has 'pebble.extent'}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// A planned address is a multiple of 64 and of nothing more.
func.func @aligned(%x: memref<16xf32> {pebble.offset = 0 : i64}) attributes {pebble.extent = {default = 8192 : i64}} {
  // expected-error@+1 {{an alignment of 4096 bytes is more than a planned address has}}
  %a = memref.alloc() {alignment = 4096 : i64, pebble.offset = 64 : i64} : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}
