// A program that its tier cannot hold ends with the meter's error, and is then
// told where it needs how much, for what, and what would do.
// RUN: not pebble-run %s --target=%S/Inputs/small-ram.txt 2>&1 | FileCheck %s
// CHECK: pebble-run: error: tier 'ram' is full: capacity 9000 bytes
// CHECK: what-does-not-fit-is-named.mlir:[[#@LINE+12]]:11: error: the program needs 12352 bytes of tier 'ram' at 'linalg.fill %{{.*}}', and it holds 9000 bytes
// CHECK: note: {{.*}} takes 4096 bytes there
// CHECK: note: pebble-opt --pebble-schedule plans a program for what its compute tier holds

// What it says helps.
// RUN: pebble-opt %s --target=%S/Inputs/small-ram.txt --pebble-schedule -o %t.mlir
// RUN: pebble-run %t.mlir

func.func @main(%x: tensor<1024xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<1024xf32>
  %scalar = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%scalar : tensor<f32>) -> tensor<f32>
  %exp = linalg.exp ins(%x : tensor<1024xf32>) outs(%wide : tensor<1024xf32>) -> tensor<1024xf32>
  %square = linalg.square ins(%x : tensor<1024xf32>) outs(%wide : tensor<1024xf32>) -> tensor<1024xf32>
  %a = linalg.dot ins(%exp, %x : tensor<1024xf32>, tensor<1024xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %b = linalg.dot ins(%square, %x : tensor<1024xf32>, tensor<1024xf32>) outs(%init : tensor<f32>) -> tensor<f32>
  %sum = linalg.add ins(%a, %b : tensor<f32>, tensor<f32>) outs(%scalar : tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
