// A pass that leaves the program as it is because it finds nothing says so, and
// what it looked for.
// RUN: pebble-opt %s --pebble-checkpoint-loops=slots=2 --remarks-filter=pebble-checkpoint-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECKPOINT
// RUN: pebble-opt %s --pebble-raise-loops --remarks-filter=pebble-raise-loops -o /dev/null 2>&1 | FileCheck %s --check-prefix=RAISE
// RUN: pebble-opt %s --pebble-raise-loops=unrolled=3 --remarks-filter=pebble-raise-loops -o /dev/null 2>&1 | FileCheck %s --check-prefixes=RAISE,UNROLLED
// RUN: pebble-opt %s --pebble-reuse-operands --remarks-filter=pebble-reuse-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=REUSE
// RUN: pebble-opt %s --pebble-divide-functions=length=100 --remarks-filter=pebble-divide-functions -o /dev/null 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: pebble-opt %s --pebble-steps-to-functions --remarks-filter=pebble-steps-to-functions -o /dev/null 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: pebble-opt %s --pebble-verify-schedule --remarks-filter=pebble-verify-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLANNED
// RUN: pebble-opt %s --pebble-verify-addresses --remarks-filter=pebble-verify-addresses -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACED
// RUN: pebble-opt %s --pebble-renew-addresses --remarks-filter=pebble-renew-addresses -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLACED
// RUN: echo 'func.func private @f()' > %t.mlir
// RUN: pebble-opt %t.mlir --pebble-order-operations --remarks-filter=pebble-order-operations -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTIONS
// RUN: pebble-opt %t.mlir --pebble-schedule=budget=50%% --remarks-filter=pebble-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTIONS
// RUN: pebble-opt %t.mlir --pebble-plan-addresses --remarks-filter=pebble-plan-addresses -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTIONS
// RUN: pebble-opt %t.mlir --pebble-group-steps --remarks-filter=pebble-group-steps -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUNCTIONS

// CHECKPOINT: remark: [Missed] nothing {{.*}}"nothing to do: there is no pebble.adjoint_loop, which pebble-raise-loops makes of a loop and its adjoint"
// RAISE: remark: [Missed] nothing {{.*}}"nothing to do: there are no two loops in one block of which the second one reads a tape that the first one writes
// UNROLLED-SAME: , and no steps that were written out and their adjoints"
// REUSE: remark: [Missed] nothing {{.*}}"nothing to do: there is no elementwise operation right behind the one that makes its operand
// DIVIDE: remark: [Missed] nothing {{.*}}"nothing to do: there is no function of one block with more than 200 operations
// STEPS: remark: [Missed] nothing {{.*}}"nothing to do: there is no pebble.step, which pebble-group-steps writes"
// PLANNED: remark: [Missed] nothing {{.*}}"nothing to do: no function has pebble.result or pebble.extent, which planning leaves"
// PLACED: remark: [Missed] nothing {{.*}}"nothing to do: no function has pebble.extent, which planning addresses leaves"
// FUNCTIONS: remark: [Missed] nothing {{.*}}"nothing to do: there is no function with a body"

func.func @main(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<16xf32>) {
    %e = tensor.empty() : tensor<16xf32>
    %next = linalg.exp ins(%s : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  return %y : tensor<16xf32>
}
