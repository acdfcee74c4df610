// Functions of modules inside are compared as well, each with the one of its
// module.
// RUN: pebble-opt %s --pebble-check-runs=original=%s -o /dev/null
// RUN: sed '/module @b/,$s/sin/cos/' %s > %t.other.mlir
// RUN: not pebble-opt %t.other.mlir --pebble-check-runs=original=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: :[[#]]:{{[0-9]+}}: error:
// RUN: sed 's/module @b/module @c/' %s > %t.gone.mlir
// RUN: not pebble-opt %t.gone.mlir --pebble-check-runs=original=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: error: there is no @b::f any more
module @a {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = math.sin %x : tensor<4xf32>
    return %y : tensor<4xf32>
  }
}
module @b {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = math.sin %x : tensor<4xf32>
    return %y : tensor<4xf32>
  }
}
