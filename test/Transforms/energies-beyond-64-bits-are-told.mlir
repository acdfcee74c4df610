// A hierarchy may state any price. Where the energies of a function would not
// fit in 64 bits it is not planned, and says so; a report says the most that
// there is.

// RUN: not pebble-opt %s --pebble-schedule="budget-percent=100 means=both" 2>&1 | FileCheck %s
// RUN: not pebble-opt %s --pebble-order-operations=objective=energy 2>&1 | FileCheck %s
// CHECK: error: cannot plan this block: [G10] the energies of accesses may add up beyond 64 bits at step 'linalg.exp %a'
// RUN: pebble-report %s --json | FileCheck %s --check-prefix=REPORT
// REPORT: 9223372036854775807
// No sum of them is below zero.
// RUN: pebble-report %s --json | not grep -E '[:,] *-[0-9]'

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"fast", kind = explicit, read = 9223372036854775807, write = 1>, <"slow", kind = explicit, read = 1, write = 1>]>} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %b = linalg.add ins(%a, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %b : tensor<8xf32>
  }
}
