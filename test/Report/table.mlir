// RUN: pebble-report %s | FileCheck %s
// RUN: pebble-report %s --target=sutro | FileCheck %s --check-prefix=PRICED

// Without a hierarchy there is one tier and no energy.

// CHECK-LABEL: @mlp_forward: 2 ops
// CHECK-NEXT: peak in default {{ *}}2,368 B {{ *}}2,368 B
// CHECK-NEXT:   of it made here {{ *}}256 B
// CHECK-NEXT: constants {{ *}}128 B
// CHECK-NEXT: average reuse distance
// CHECK-NEXT: dependences: 1 flow, 0 anti, 0 output, 0 effect
// CHECK-NEXT: live at the peak, op 1 linalg.add h:
// CHECK-NEXT:   2,048 B  %w, argument
// CHECK-NEXT:   128 B  pre, activation
// CHECK-NEXT:   128 B  h, result
// CHECK-NEXT:   64 B  %x, argument

// PRICED: peak in hbm
// PRICED: energy (lru) {{.*}} pJ
// PRICED-NEXT: from register {{.*}}%
// PRICED-NEXT: from l1
// PRICED-NEXT: from l2
// PRICED-NEXT: from hbm

func.func @mlp_forward(%x: tensor<1x16xf32>, %w: tensor<16x32xf32>) -> tensor<1x32xf32> {
  %bias = arith.constant dense<1.0> : tensor<1x32xf32>
  %zero = tensor.empty() : tensor<1x32xf32>
  %pre = linalg.matmul {pebble.name = "pre"} ins(%x, %w : tensor<1x16xf32>, tensor<16x32xf32>) outs(%bias : tensor<1x32xf32>) -> tensor<1x32xf32>
  %h = linalg.add {pebble.name = "h"} ins(%pre, %pre : tensor<1x32xf32>, tensor<1x32xf32>) outs(%zero : tensor<1x32xf32>) -> tensor<1x32xf32>
  return %h : tensor<1x32xf32>
}
