// What cannot be done is an error at its place.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=12000 pure=any.random" --split-input-file --verify-diagnostics -o /dev/null
// RUN: sed -n '/^func.func @too_much/,/^}/p' %s > %t
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=-5" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not pebble-opt %t --pebble-schedule="budget-percent=-5" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not pebble-opt %t --pebble-schedule="budget-percent=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not pebble-opt %t --pebble-schedule="budget-percent=101" 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=9 budget-percent=9" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not pebble-opt %t --pebble-schedule 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=9000 means=offload" 2>&1 | FileCheck %s --check-prefix=OFFLOAD
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=9000 means=both" 2>&1 | FileCheck %s --check-prefix=OFFLOAD
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=13000 means=none" 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=13000 solver=nobody" 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=13000 objective=energy" 2>&1 | FileCheck %s --check-prefix=ENERGY
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=13000 objective=time" 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=13000 time-limit-ms=-1" 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=nan" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=99999999999999999999" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not pebble-opt %t --pebble-schedule="budget=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not pebble-opt %t --pebble-schedule="budget-percent=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not pebble-opt %t --pebble-schedule="budget-percent=7MiB" 2>&1 | FileCheck %s --check-prefix=SHARE
// RUN: not pebble-opt %t --pebble-schedule="budget-percent=min" 2>&1 | FileCheck %s --check-prefix=SHARE
// RUN: not pebble-opt %t --pebble-schedule="budget=9 budget-bytes=9" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not pebble-opt %t --pebble-schedule="budget=0%%" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not pebble-opt %t --pebble-schedule="budget=100.001%%" 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not pebble-opt %t --pebble-schedule="budget-bytes=999999999 solver=nobody" 2>&1 | FileCheck %s --check-prefix=SOLVER
// RUN: not pebble-opt %t --pebble-verify-schedule="dim-bound=-2" 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: not pebble-opt %t --pebble-verify-schedule="dim-bound=0" 2>&1 | FileCheck %s --check-prefix=BOUND-OF-NONE
// RUN: not pebble-opt %t --pebble-schedule="dim-bound=0" 2>&1 | FileCheck %s --check-prefix=BOUND-OF-NONE
// RUN: not pebble-opt %t --pebble-order-operations="dim-bound=0" 2>&1 | FileCheck %s --check-prefix=BOUND-OF-NONE
// RUN: not pebble-opt %t --pebble-checkpoint-calls="dim-bound=0" 2>&1 | FileCheck %s --check-prefix=BOUND-OF-NONE
// RUN: pebble-opt %t --pebble-schedule="budget-bytes=999999999" | FileCheck %s --check-prefix=PLENTY

// ZERO: error: 'budget{{(-bytes|-percent)?}}' must be above 0, got 0
// NEGATIVE: error: 'budget{{(-bytes|-percent)?}}' takes a {{.*}}, got -{{[15]}}
// SHARE: error: 'budget-percent' takes a percentage with at most three decimal places, as 50 or 12.5%, got {{7MiB|min}}
// MORE: error: 'budget{{(-percent)?}}' takes at most 100%, got 10
// BOTH: error: give one of budget, budget-bytes and budget-percent, not two
// NONE: error: no budget: give budget, or a memory hierarchy whose compute tier has a capacity
// OFFLOAD: error: values cannot be offloaded: no tier is slower than the compute tier 'default'
// ORDER: error: no order fits in the budget of 13000 bytes; the smallest feasible budget is 16384 bytes (proven)
// SOLVER: error: there is no solver 'nobody'; there are
// ENERGY: error: an energy objective needs a memory hierarchy with energies
// TIME: error: a time objective needs a pebble.cost here, or a memory hierarchy whose compute tier has a bandwidth
// LIMIT: error: 'time-limit-ms' takes a whole number from 0 to 9223372036854775807, got -1
// WORD: error: 'budget-bytes' takes a whole number, with KB, MB, GB, KiB, MiB or GiB behind it or not, a percentage as 50%, or min, got {{nan|9+}}
// BOUND-OF-NONE: error: 'dim-bound' takes a whole number from 1 to 9223372036854775807, got 0
// BOUND: error: 'dim-bound' takes a whole number from 1 to 9223372036854775807, got -2
// PLENTY: solver = "given"

func.func @too_much(%x: tensor<1024xf32> {pebble.name = "x"}) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %a = linalg.exp {pebble.name = "a"} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a0 = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %s = linalg.negf ins(%a0 : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.broadcast ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %c = linalg.exp {pebble.name = "c"} ins(%b : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  // expected-error @below {{no schedule fits in the budget of 12000 bytes; the smallest feasible budget is 12352 bytes (proven)}}
  // expected-note @below {{its peak is at 'linalg.add r' with x (4096 bytes, belongs to the caller), a (4096 bytes, read here), c (4096 bytes, read here), r (64 bytes, made here) live}}
  // expected-note @below {{the budget is met with all of these together (8256 bytes, 50.4%)}}
  %r = linalg.add {pebble.name = "r"} ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// What must run once is named with the reason.
func.func @what_must_run_once(%x: tensor<1024xf32> {pebble.name = "x"}) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %a = "any.random"(%x) {pebble.name = "a"} : (tensor<1024xf32>) -> tensor<1024xf32>
  %a0 = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %s = linalg.negf ins(%a0 : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.broadcast {pebble.name = "b"} ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  // expected-error @below {{no schedule fits in the budget of 12000 bytes; the smallest feasible budget is 16384 bytes (proven)}}
  // expected-note @below {{its peak is at 'linalg.exp c' with x (4096 bytes, belongs to the caller), a (4096 bytes, cannot be recomputed: it draws random numbers or communicates), b (4096 bytes, read here), c (4096 bytes, made here) live}}
  // expected-note @below {{the budget is met with all of these together (8256 bytes, 50.4%)}}
  %c = linalg.exp {pebble.name = "c"} ins(%b : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %r = linalg.add ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

func.func @wish_that_cannot_be_followed(%x: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @below {{pebble.recompute cannot be followed: it has effects: }}
  %a = "any.op"(%x) {pebble.recompute} : (tensor<16xf32>) -> tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

func.func @wish_for_another_tier(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  // expected-error @below {{pebble.offload cannot be followed without means=offload or means=both}}
  %a = linalg.exp {pebble.offload} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"small", kind = explicit, capacity = 4096>]>} {
  // expected-error @below {{the budget of 12000 bytes is more than the 4096 bytes of tier 'small'}}
  func.func @budget_over_all_memory(%x: tensor<16xf32>) -> tensor<16xf32> {
    return %x : tensor<16xf32>
  }
}

// -----

// expected-error @below {{size of tensor<?xf32> is not known; bound dynamic dimensions with dim-bound}}
func.func @dynamic_shape_without_a_bound(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

module {}
