// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=9223372036854775807" 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: error: 'slow-slots' takes a whole number from 0 to 1048576, got 9223372036854775807
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=1048576" 2>&1 | FileCheck %s --check-prefix=SUM
// SUM: :[[#@LINE+20]]:13: error: at most 1048576 slots, got 2 and 1048576
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=2" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: :[[#@LINE+18]]:13: error: states cannot be kept in a slower tier: the module has no hierarchy, which pebble-attach-target puts on it
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-checkpoint-loops="slots=2 slow-slots=2 slow-tier=green" 2>&1 | FileCheck %s --check-prefix=GREEN
// GREEN: :[[#@LINE+16]]:13: error: there is no tier 'green' slower than the compute tier
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-checkpoint-loops="slots=2 slow-slots=-2" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: 'slow-slots' takes a whole number from 0 to 1048576, got -2
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 period=3" 2>&1 | FileCheck %s --check-prefix=PERIOD
// PERIOD: :[[#@LINE+12]]:13: error: 'period' belongs to 'schedule=periodic'
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 schedule=periodic period=-4" 2>&1 | FileCheck %s --check-prefix=BACKWARD
// BACKWARD: error: 'period' takes a whole number from 1 to 9223372036854775807, got -4
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 schedule=periodic period=4 slow-slots=2" 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: :[[#@LINE+8]]:13: error: 'schedule=periodic' takes as many states in the slower tier as there are periods, so that 'slow-slots' has nothing to say
// RUN: sed 's/^module {/module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit, capacity = 4000>, <"blue", kind = explicit, capacity = 20000>]>} {/' %s > %t.mlir
// RUN: not pebble-opt %t.mlir --pebble-checkpoint-loops="slots=2" 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: :[[#@LINE+5]]:13: error: a state takes 4096 bytes, and tier 'red' holds 4000
// RUN: sed -i 's/4000/8000/' %t.mlir
// RUN: not pebble-opt %t.mlir --pebble-checkpoint-loops="slots=1 slow-slots=5" 2>&1 | FileCheck %s --check-prefix=FULL
module { func.func @main(%x: tensor<1024xf32>, %a: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %n = arith.constant 9 : index
  %y, %dx = pebble.adjoint_loop %n states(%x : tensor<1024xf32>) adjoints(%a : tensor<1024xf32>) primal {
  ^bb0(%i: index, %s: tensor<1024xf32>):
    %next = math.sin %s : tensor<1024xf32>
    pebble.yield %next : tensor<1024xf32>
  } adjoint {
  ^bb0(%i: index, %s: tensor<1024xf32>, %b: tensor<1024xf32>):
    %cos = math.cos %s : tensor<1024xf32>
    %c = arith.mulf %cos, %b : tensor<1024xf32>
    pebble.yield %c : tensor<1024xf32>
  }
  return %y, %dx : tensor<1024xf32>, tensor<1024xf32>
}
}
// FULL: :[[#@LINE-13]]:13: error: tier 'blue' holds 20000 bytes, and 5 states of 4096 bytes do not fit
