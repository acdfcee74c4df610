// A linker's names end at a NUL byte.
// RUN: not pebble-run %s 2>&1 | FileCheck %s

// CHECK: [[#@LINE+1]]:1: error: a name with a NUL byte in it cannot be lowered
func.func private @"in\00side"(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
func.func @main(%x: f32) -> f32 {
  %y = call @"in\00side"(%x) : (f32) -> f32
  return %y : f32
}
