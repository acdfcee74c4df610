// A division may not be ordered before the assertion that guards it; one by a
// number that is not zero may.
// RUN: not pebble-opt %s --pebble-order-operations -split-input-file 2>&1 | FileCheck %s
// CHECK: error: the dictated order breaks the order of effects: 'cf.assert at division-stays-behind-its-guard.mlir:[[@LINE+6]]' must come before 'arith.divsi
// CHECK-NOT: error:
func.func @guarded(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %ok = arith.cmpi ne, %x, %c0 : i32
  cf.assert %ok, "x is zero" {pebble.order = 1}
  %q = arith.divsi %c7, %x {pebble.order = 0} : i32
  return %q : i32
}

// -----

func.func @harmless(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %ok = arith.cmpi ne, %x, %c0 : i32
  cf.assert %ok, "x is zero" {pebble.order = 1}
  %q = arith.divsi %x, %c7 {pebble.order = 0} : i32
  return %q : i32
}
