// Recursion may take buffers and return numbers. A recursive call that returns
// a buffer is an error where it stands.

// RUN: rm -rf %t && pebble-run %s --entry=sums --output-dir=%t
// RUN: %python %S/Inputs/npy.py show %t/result0.npy | FileCheck %s
// CHECK: f4 () [6.0]
// RUN: not pebble-run %s --entry=deepens 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not=freed
// ERROR: recursion.mlir:[[#@LINE+34]]:10: error: recursion that returns a buffer is not supported: nobody knows who frees it

func.func private @sum(%x: tensor<4xf32>, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %zero : index
  %r = scf.if %done -> f32 {
    %f = arith.constant 0.0 : f32
    scf.yield %f : f32
  } else {
    %m = arith.subi %n, %one : index
    %y = arith.addf %x, %x : tensor<4xf32>
    %e = tensor.extract %x[%m] : tensor<4xf32>
    %q = func.call @sum(%y, %m) : (tensor<4xf32>, index) -> f32
    %s = arith.addf %e, %q : f32
    scf.yield %s : f32
  }
  return %r : f32
}
func.func @sums() -> f32 {
  %x = arith.constant dense<2.0> : tensor<4xf32>
  %n = arith.constant 2 : index
  %y = call @sum(%x, %n) : (tensor<4xf32>, index) -> f32
  return %y : f32
}
func.func private @deepen(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %done = arith.cmpi eq, %n, %zero : index
  %r = scf.if %done -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %one = arith.constant 1 : index
    %m = arith.subi %n, %one : index
    %y = math.exp %x : tensor<4xf32>
    %q = func.call @deepen(%y, %m) : (tensor<4xf32>, index) -> tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @deepens(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %y = call @deepen(%x, %n) : (tensor<4xf32>, index) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
