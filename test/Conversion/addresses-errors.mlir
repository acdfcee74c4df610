// An allocation that came in below the check is no placement, and is refused.
// RUN: pebble-opt %s --pebble-lower-tiers --verify-diagnostics

func.func @allocates(%x: memref<16xf32> {pebble.offset = 0 : i64}) attributes {pebble.extent = {default = 64 : i64}} {
  // expected-error@+1 {{[D44] an allocation without 'pebble.offset' in a function that has 'pebble.extent'}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}
