// A file of plans in which nothing is for this module is most likely another
// module's. It is used for nothing, and that is a warning at the module.

// RUN: pebble-opt %s --pebble-schedule="budget-bytes=192 save-plan=%t.plan" -o %t.first.mlir
// RUN: sed 's/"function": "planned"/"function": "renamed"/' %t.plan > %t.other
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=192 plan=%t.other" -o %t.second.mlir 2>&1 | FileCheck %s
// RUN: cmp %t.first.mlir %t.second.mlir
// CHECK: plans-of-other-functions-are-told.mlir:{{[0-9]+}}:{{[0-9]+}}: warning: '{{.*}}.other' holds no plan for a function of this module

// A plan of a block that no function has is for nobody either.
// RUN: sed 's/"block": 0/"block": 1/' %t.plan > %t.block
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=192 plan=%t.block" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: warning: '{{.*}}.block' holds no plan for a function of this module

// Where some plans are used, nothing is said of the others.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=192 plan=%t.plan" --quiet -o /dev/null 2>&1 | count 0

func.func @planned(%x: tensor<16xf32>) -> tensor<16xf32> {
  %d = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.abs ins(%a : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  return %b : tensor<16xf32>
}
