// A function that says how deep it calls itself becomes as many. Then its memory has a bound, a budget can be kept, and
// a layer that calls it may run again: before and after have equal bits. A program that hands out buffers as it calls
// itself does not even run before.
// RUN: not pebble-opt %s --pebble-schedule=budget=90%% -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO
// NO: the memory of a recursive call is not known, so that no budget can be kept; pebble-expand-recursion writes it out where 'pebble.recursion_depth' says how deep it goes
// RUN: pebble-opt %s --pebble-expand-recursion -o %t.flat.mlir
// RUN: FileCheck %s < %t.flat.mlir
// RUN: pebble-opt %t.flat.mlir --pebble-checkpoint-calls=mode=joint -o %t.joint.mlir
// RUN: FileCheck %s --check-prefix=JOINT < %t.joint.mlir
// RUN: pebble-opt %t.joint.mlir -cse -canonicalize -o %t.after.mlir
// RUN: pebble-run %s --entry=numbers --json=%t.numbers.json && grep sha256 %t.numbers.json > %t.numbers.sum
// RUN: pebble-run %t.flat.mlir --entry=numbers --json=%t.flat.json && grep sha256 %t.flat.json | diff - %t.numbers.sum
// RUN: not pebble-run %s 2>&1 | FileCheck %s --check-prefix=BUFFER
// BUFFER: recursion that returns a buffer is not supported
// RUN: pebble-run %t.flat.mlir --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.joint.mlir --json=%t.joint.json && grep sha256 %t.joint.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --json=%t.after.json && grep sha256 %t.after.json | diff - %t.sum
// Where the program goes deeper than it says, it ends, and says why.
// RUN: sed 's/recursion_depth = 4/recursion_depth = 3/' %s | pebble-opt --pebble-expand-recursion -o %t.shallow.mlir
// RUN: not pebble-run %t.shallow.mlir 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: the recursion of @halve is deeper than pebble.recursion_depth = 3

// CHECK-LABEL: func.func private @halve(
// CHECK: call @step(
// CHECK-LABEL: func.func private @halve.depth2(
// CHECK: call @step.depth2(
// CHECK-LABEL: func.func private @halve.depth4(
// CHECK: call @step.depth4(
// CHECK-LABEL: func.func private @step.depth4(
// CHECK: cf.assert %{{.*}}, "the recursion of @halve is deeper than pebble.recursion_depth = 4"
// CHECK-LABEL: func.func private @step(
// CHECK: call @halve.depth2(
// JOINT: call @layer.plain
// JOINT: call @layer.adjoint
func.func private @halve(%x: tensor<64xf32>, %n: index) -> tensor<64xf32>
    attributes {pebble.recursion_depth = 4 : i64} {
  %zero = arith.constant 0 : index
  %more = arith.cmpi ne, %n, %zero : index
  %r = scf.if %more -> tensor<64xf32> {
    %z = func.call @step(%x, %n) : (tensor<64xf32>, index) -> tensor<64xf32>
    scf.yield %z : tensor<64xf32>
  } else {
    scf.yield %x : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
func.func private @step(%x: tensor<64xf32>, %n: index) -> tensor<64xf32> {
  %one = arith.constant 1 : index
  %m = arith.subi %n, %one : index
  %y = math.sin %x : tensor<64xf32>
  %z = call @halve(%y, %m) : (tensor<64xf32>, index) -> tensor<64xf32>
  return %z : tensor<64xf32>
}
func.func private @layer(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %n = arith.constant 3 : index
  %a = call @halve(%x, %n) : (tensor<64xf32>, index) -> tensor<64xf32>
  %b = math.sin %a : tensor<64xf32>
  %c = math.cos %a : tensor<64xf32>
  return %b, %a, %c : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
func.func private @layer_back(%a: tensor<64xf32>, %c: tensor<64xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  %e = arith.mulf %d, %c : tensor<64xf32>
  %f = arith.mulf %e, %a : tensor<64xf32>
  return %f : tensor<64xf32>
}
func.func @main(%x: tensor<64xf32>, %d: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %y, %s:2 = call @layer(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
  %z, %t:2 = call @layer(%y) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
  %e = call @layer_back(%t#0, %t#1, %d) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %f = call @layer_back(%s#0, %s#1, %e) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %z, %f : tensor<64xf32>, tensor<64xf32>
}
func.func private @power(%x: f64, %n: index) -> f64 attributes {pebble.recursion_depth = 5 : i64} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %unit = arith.constant 1.0 : f64
  %more = arith.cmpi ne, %n, %zero : index
  %r = scf.if %more -> f64 {
    %m = arith.subi %n, %one : index
    %y = func.call @power(%x, %m) : (f64, index) -> f64
    %z = arith.mulf %x, %y : f64
    scf.yield %z : f64
  } else {
    scf.yield %unit : f64
  }
  return %r : f64
}
func.func @numbers(%x: f64) -> f64 {
  %n = arith.constant 4 : index
  %r = call @power(%x, %n) : (f64, index) -> f64
  return %r : f64
}
