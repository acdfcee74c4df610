// Of functions that call each other some say how deep they do. Whoever enters the circle elsewhere has one call less
// under way, and where two say how deep, the least depth counts.
// RUN: pebble-opt %s --pebble-expand-recursion -o %t.mlir --remarks-filter=.* 2>&1 | count 0
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %s --entry=four --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.mlir --entry=four --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: not pebble-run %t.mlir --entry=five 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: the recursion of @odd is deeper than pebble.recursion_depth = 2

// CHECK: func.func private @even(
// CHECK: call @odd(
// CHECK-NOT: pebble.recursion_depth =
// CHECK: func.func private @even.depth2(
// CHECK: assert %{{.*}}, "the recursion of @odd is deeper than pebble.recursion_depth = 2"
func.func private @even(%n: index, %x: f32) -> f32 attributes {pebble.recursion_depth = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> f32 {
    scf.yield %x : f32
  } else {
    %k = arith.subi %n, %c1 : index
    %y = math.sin %x : f32
    %q = func.call @odd(%k, %y) : (index, f32) -> f32
    scf.yield %q : f32
  }
  return %r : f32
}
func.func private @odd(%n: index, %x: f32) -> f32 attributes {pebble.recursion_depth = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> f32 {
    scf.yield %x : f32
  } else {
    %k = arith.subi %n, %c1 : index
    %y = math.cos %x : f32
    %q = func.call @even(%k, %y) : (index, f32) -> f32
    scf.yield %q : f32
  }
  return %r : f32
}
func.func @four(%x: f32) -> f32 {
  %n = arith.constant 4 : index
  %r = func.call @even(%n, %x) : (index, f32) -> f32
  return %r : f32
}
func.func @five(%x: f32) -> f32 {
  %n = arith.constant 5 : index
  %r = func.call @even(%n, %x) : (index, f32) -> f32
  return %r : f32
}
