// A training step that a driver calls 300 times: the weights and the momentum go from run to run, and a buffer that
// counts steps stays as the run before left it. The driver is killed at random moments and ends as if it never was.
// RUN: %python %S/kill.py %s --repeat=300 --every=5 --kills=8 --seed=3 --feed=0:0 --feed=1:1 --feed=3 | FileCheck %s
// CHECK: killed {{[1-9][0-9]*}} times while it ran, {{.*}} all with the same results

// RUN: pebble-run %s --repeat=3 --feed=0:0 --feed=1:1 --feed=3 --json=%t.json
// RUN: pebble-run %s --repeat=1 --json=%t.one.json
// RUN: not diff %t.json %t.one.json > /dev/null

func.func @main(%w: tensor<32x32xf32> {pebble.range = [-0.1, 0.1]}, %v: tensor<32x32xf32> {pebble.range = [-0.1, 0.1]},
                %x: tensor<32x32xf32>, %steps: memref<4xi64>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<32x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %h = linalg.matmul ins(%x, %w : tensor<32x32xf32>, tensor<32x32xf32>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
  %y = linalg.tanh ins(%h : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %v1 = linalg.add ins(%v, %y : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %w1 = linalg.sub ins(%w, %v1 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %n = memref.load %steps[%c0] : memref<4xi64>
  %m = arith.addi %n, %one : i64
  memref.store %m, %steps[%c0] : memref<4xi64>
  return %w1, %v1 : tensor<32x32xf32>, tensor<32x32xf32>
}
