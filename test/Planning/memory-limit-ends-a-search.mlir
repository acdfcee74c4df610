// Tables that may take nothing end exact search at once, which is no proof;
// what is no number of bytes is an error.
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=64 memory-limit=4XB" 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not pebble-opt %s --memory-limit=none --pebble-order-operations 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: pebble-opt %s --memory-limit=1KiB --pebble-order-operations | FileCheck %s
// RUN: pebble-opt %s --pebble-order-operations="memory-limit=1GiB" | FileCheck %s

// BAD: error: memory-limit is a number of bytes above 0, with KB, MB, GB, KiB, MiB or GiB behind it or not, and not '4XB'
// NONE: error: memory-limit is a number of bytes above 0, {{.*}} not 'none'
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %a : tensor<16xf32>
}
