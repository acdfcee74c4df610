// A dimension may be as large as the bound that it was given, and no larger.

// RUN: %python %S/Inputs/npy.py write %t.npy f4 2,4 1,2,3,4,5,6,7,8
// RUN: pebble-run %s --input=0:%t.npy --pebble-dim-bound=4
// RUN: not pebble-run %s --input=0:%t.npy --pebble-dim-bound=3 2>&1 | FileCheck %s
// CHECK: argument 0: dimension 1 of the file is 4, over the bound of 3 given by --dim-bound
func.func @main(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %y = math.exp %x : tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}
