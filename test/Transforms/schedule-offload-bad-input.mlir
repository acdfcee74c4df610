// What cannot be moved, and budgets that no transfer can keep, are errors.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=14000 means=offload objective=time" --split-input-file --verify-diagnostics -o /dev/null
// A solver that was asked for and does not take the block says why.
// RUN: not pebble-opt %S/schedule-time.mlir --pebble-schedule="budget-bytes=17000 means=offload objective=time solver=tree" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SOLVER
// SOLVER: error: cannot plan this block: tree does not take the problem

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"fast", kind = explicit, bandwidth = 1000>, <"slow", kind = explicit, bandwidth = 0>]>} {
  // expected-error @below {{a time objective needs the bandwidth of every tier that values may be moved to; tier 'slow' has none}}
  func.func @zero_bandwidth(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    return %x : tensor<1024xf32>
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"l1", kind = cache, capacity = 64>, <"only", kind = explicit, bandwidth = 1000>]>} {
  // expected-error @below {{values cannot be offloaded: no tier is slower than the compute tier 'only'}}
  func.func @no_slower_tier(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    return %x : tensor<1024xf32>
  }
}

// -----

#two = #pebble.hierarchy<[
  <"fast", kind = explicit, bandwidth = 1000>,
  <"slow", kind = explicit, capacity = 2048, bandwidth = 100>]>

// The slower tier is too small for what would have to go.
module attributes {pebble.hierarchy = #two} {
  func.func @no_tier_has_room(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %a = linalg.exp {pebble.name = "a"} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b = linalg.exp {pebble.name = "b"} ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    // expected-error @below {{no schedule was found within the budget of 14000 bytes; the smallest feasible budget found is 16384 bytes}}
    // expected-note @below {{its peak is at 'linalg.exp c' with %x (4096 bytes, belongs to the caller), a (4096 bytes}}
    // expected-note @below {{at most 16384 bytes are live in the leanest order, 2048 bytes fit in slower tiers}}
    // expected-note @below {{the budget is met with means=both (12288 bytes, 75%)}}
    %c = linalg.exp {pebble.name = "c"} ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %d = linalg.add ins(%c, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%c : tensor<1024xf32>) -> tensor<1024xf32>
    return %d : tensor<1024xf32>
  }
}

// -----

#two = #pebble.hierarchy<[
  <"fast", kind = explicit, bandwidth = 1000>,
  <"slow", kind = explicit, bandwidth = 100>]>

// An operation's operands and results must be there at once.
module attributes {pebble.hierarchy = #two} {
  func.func @one_step_needs_more(%x: tensor<1280xf32>, %y: tensor<1280xf32>) -> tensor<1280xf32> {
    %e = tensor.empty() : tensor<1280xf32>
    // expected-error @below {{no schedule fits in the budget of 14000 bytes; the smallest feasible budget is 15360 bytes (proven)}}
    // expected-note @below {{its peak is at 'linalg.add}}
    // expected-note @below {{the budget is not met with means=both (no fewer bytes found)}}
    %a = linalg.add ins(%x, %y : tensor<1280xf32>, tensor<1280xf32>) outs(%e : tensor<1280xf32>) -> tensor<1280xf32>
    return %a : tensor<1280xf32>
  }
}

// -----

#two = #pebble.hierarchy<[
  <"fast", kind = explicit, bandwidth = 1000>,
  <"slow", kind = explicit, bandwidth = 100>]>

module attributes {pebble.hierarchy = #two} {
  func.func private @same(%x: tensor<16xf32>) -> tensor<16xf32> {
    return %x : tensor<16xf32>
  }
  func.func @wish_for_what_has_another_name(%x: tensor<16xf32>) -> tensor<16xf32> {
    %e = tensor.empty() : tensor<16xf32>
    // expected-error @below {{pebble.offload cannot be followed: an op hands it on under another name}}
    %a = linalg.exp {pebble.offload} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %b = call @same(%a) : (tensor<16xf32>) -> tensor<16xf32>
    %c = linalg.add ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    return %c : tensor<16xf32>
  }
}

// -----

#two = #pebble.hierarchy<[
  <"fast", kind = explicit, bandwidth = 1000>,
  <"slow", kind = explicit, bandwidth = 100>]>

module attributes {pebble.hierarchy = #two} {
  func.func @wish_to_recompute(%x: tensor<16xf32>) -> tensor<16xf32> {
    %e = tensor.empty() : tensor<16xf32>
    // expected-error @below {{pebble.recompute cannot be followed with means=none or means=offload}}
    %a = linalg.exp {pebble.recompute} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    return %a : tensor<16xf32>
  }
}
