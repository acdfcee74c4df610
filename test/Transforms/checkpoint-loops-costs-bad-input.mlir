// What schedules that are chosen by their cost cannot do without.
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-checkpoint-loops="slots=2 schedule=two-tier" 2>&1 | FileCheck %s --check-prefix=COSTS
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-checkpoint-loops="slots=2 schedule=periodic" 2>&1 | FileCheck %s --check-prefix=COSTS
// COSTS: :[[#@LINE+20]]:13: error: what to keep in tier 'blue' depends on what moving a state costs beside a forward step: give 'store-cost' and 'load-cost' in forward steps, or a hierarchy with the bandwidths of both tiers
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-checkpoint-loops="slots=2 schedule=two-tier store-cost=3" 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: :[[#@LINE+18]]:13: error: 'store-cost' and 'load-cost' belong together, and 'forward-cost' to them
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-checkpoint-loops="slots=2 schedule=two-tier store-cost=-3 load-cost=2" 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: error: 'store-cost' takes a whole number from 0 to 1099511627776, got -3
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-checkpoint-loops="slots=2 schedule=two-tier store-cost=3 load-cost=2 forward-cost=0" 2>&1 | FileCheck %s --check-prefix=FREE
// FREE: error: 'forward-cost' takes a whole number from 1 to 1099511627776, got 0
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-checkpoint-loops="slots=2 store-cost=3 load-cost=2" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: :[[#@LINE+12]]:13: error: 'store-cost' and 'load-cost' are of states in a slower tier, and none is to be kept there
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-checkpoint-loops="slots=2 objective=recompute" 2>&1 | FileCheck %s --check-prefix=OBJECTIVE
// OBJECTIVE: for the --objective option: 'recompute' is none of time, energy
// The slower tier holds no state; two, where six would pay; or as many as are
// asked for, which is more than that.
// RUN: sed 's/^module {/module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit>, <"blue", kind = explicit, capacity = 4000>]>} {/' %s > %t.mlir
// RUN: not pebble-opt %t.mlir --pebble-checkpoint-loops="slots=2 schedule=two-tier store-cost=1 load-cost=1" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not pebble-opt %t.mlir --pebble-checkpoint-loops="slots=2 schedule=periodic store-cost=1 load-cost=1" 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: :[[#@LINE+4]]:13: error: a state takes 4096 bytes, and tier 'blue' holds 4000
// RUN: sed -i 's/4000/9000/' %t.mlir
module { func.func @main(%x: tensor<1024xf32>, %a: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %n = arith.constant 19 : index
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
// RUN: pebble-opt %t.mlir --pebble-checkpoint-loops="slots=2 schedule=two-tier store-cost=1 load-cost=1" | FileCheck %s --check-prefix=TWO
// RUN: pebble-opt %t.mlir --pebble-checkpoint-loops="slots=2 schedule=periodic store-cost=1 load-cost=1" | FileCheck %s --check-prefix=TWO
// TWO: slow_slots = 2 : i64
// RUN: not pebble-opt %t.mlir --pebble-checkpoint-loops="slots=2 slow-slots=6 schedule=two-tier store-cost=1 load-cost=1" 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: :[[#@LINE-17]]:13: error: tier 'blue' holds 9000 bytes, and 6 states of 4096 bytes do not fit
// A number of steps that is an argument needs a slot beside the first state's.
// RUN: sed -e 's/@main(/@main(%n: index, /' -e '/%n = arith/d' %s > %t.mlir
// RUN: not pebble-opt %t.mlir --pebble-target=red-blue --pebble-checkpoint-loops="slots=1 schedule=two-tier store-cost=1 load-cost=1" 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: :13: error: where the number of steps is known at run time alone 'schedule=two-tier' takes at least 2 slots
