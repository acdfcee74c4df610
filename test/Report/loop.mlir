// What caches serve when a function is called in a loop: a stack of addresses
// that outlive storages, and calls that find what the call before left.

// RUN: pebble-report %s --calls=2 --json | FileCheck %s
// RUN: pebble-report %s --calls=2 | FileCheck %s --check-prefix=TABLE
// RUN: pebble-report %s --json | FileCheck %s --check-prefix=NONE
// RUN: not pebble-report %s --calls=-1 2>&1 | FileCheck %s --check-prefix=BAD

// NONE-NOT: "loop
// BAD: for the --calls option: '-1' is not a whole number from 0 to

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"l1", kind = cache, capacity = 128, read = 1, write = 1>,
    <"ram", kind = explicit, read = 10, write = 10>], name = "two lines">} {

// First call. t and u lie at addresses that nothing had before: ram. v takes
// the address of t, which the cache still holds, and is overwritten right after
// it is read. Second call: a and the address of u have been pushed out.
//
// CHECK: "loop": {
// CHECK-NEXT: "calls": 2,
// CHECK-NEXT: "first_call": {
// CHECK-NEXT: "served_bytes": {
// CHECK-NEXT: "l1": 384,
// CHECK-NEXT: "ram": 128
// CHECK-NEXT: },
// CHECK-NEXT: "energy_fj_total": 1664
// CHECK-NEXT: },
// CHECK-NEXT: "all_calls": {
// CHECK-NEXT: "served_bytes": {
// CHECK-NEXT: "l1": 768,
// CHECK-NEXT: "ram": 256
// CHECK-NEXT: },
// CHECK-NEXT: "energy_fj_total": 3328

// TABLE: called 2 times in a loop:
// TABLE-NEXT: served by  first call  a later call
// TABLE-NEXT: l1              384 B         384 B
// TABLE-NEXT: ram             128 B         128 B
func.func @addresses_stay_cached(%a: memref<15xf32>) {
  %t = memref.alloc() : memref<15xf32>
  linalg.exp ins(%a : memref<15xf32>) outs(%t : memref<15xf32>)
  %u = memref.alloc() : memref<15xf32>
  linalg.exp ins(%t : memref<15xf32>) outs(%u : memref<15xf32>)
  memref.dealloc %t : memref<15xf32>
  %v = memref.alloc() : memref<15xf32>
  linalg.exp ins(%u : memref<15xf32>) outs(%v : memref<15xf32>)
  memref.dealloc %u : memref<15xf32>
  linalg.exp ins(%v : memref<15xf32>) outs(%v : memref<15xf32>)
  memref.dealloc %v : memref<15xf32>
  return
}
}
