// A range gives integers between its ends, and works at its widest.

// RUN: rm -rf %t && pebble-run %s --output-dir=%t
// RUN: %python %S/Inputs/npy.py show %t/result0.npy %t/result1.npy %t/result2.npy | FileCheck %s
// CHECK: i4 (4,) [1, 1, 1, 1]
// CHECK: i8 (64,) [{{.*-[0-9]+, 9[0-9]+,}}
// CHECK-NOT: {{inf|nan}}
// CHECK: f8 (64,) [{{.*-1.[0-9]+e.308, 1.[0-9]+e.308}}
// CHECK-NOT: {{inf|nan}}
func.func @main(%a: tensor<4xi32> {pebble.range = [0.5, 1.7]},
                %b: tensor<64xi64> {pebble.range = [-9223372036854775808, 9223372036854775807]},
                %c: tensor<64xf64> {pebble.range = [-1.7e308, 1.7e308]})
    -> (tensor<4xi32>, tensor<64xi64>, tensor<64xf64>) {
  return %a, %b, %c : tensor<4xi32>, tensor<64xi64>, tensor<64xf64>
}
