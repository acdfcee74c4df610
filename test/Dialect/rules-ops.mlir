// RUN: pebble-opt %s --split-input-file --verify-diagnostics

// D21: on tensors a transfer returns the copy, on memrefs it has a destination.
func.func @d21_no_copy(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D21] a transfer of a tensor returns the copy}}
  %t = "pebble.store"(%x) : (tensor<4xf32>) -> !pebble.token
  pebble.wait %t
  return
}

// -----

func.func @d21_no_destination(%x: memref<4xf32>) {
  // expected-error@+1 {{[D21] a transfer of a memref needs a destination: 'into'}}
  %t = "pebble.store"(%x) : (memref<4xf32>) -> !pebble.token
  pebble.wait %t
  return
}

// -----

func.func @d21_mixed(%x: memref<4xf32>) {
  // expected-error@+1 {{[D21] a transfer of a memref returns its token alone}}
  %c, %t = "pebble.store"(%x) : (memref<4xf32>) -> (tensor<4xf32, #pebble.at<"host">>, !pebble.token)
  pebble.wait %t for %c : tensor<4xf32, #pebble.at<"host">>
  return
}

// -----

func.func @d21_destination_of_another_type(%x: tensor<4xf32>, %d: tensor<?xf32, #pebble.at<"host">>) {
  // expected-error@+1 {{[D21] the copy has type 'tensor<4xf32, #pebble.at<"host">>', but its destination has 'tensor<?xf32, #pebble.at<"host">>'}}
  %c, %t = "pebble.store"(%x, %d) : (tensor<4xf32>, tensor<?xf32, #pebble.at<"host">>) -> (tensor<4xf32, #pebble.at<"host">>, !pebble.token)
  pebble.wait %t for %c : tensor<4xf32, #pebble.at<"host">>
  return
}

// -----

func.func @d21_kinds(%x: memref<4xf32>, %d: tensor<4xf32, #pebble.at<"host">>) {
  // expected-error@+1 {{[D21] source and destination must both be tensors or both memrefs}}
  %t = "pebble.store"(%x, %d) : (memref<4xf32>, tensor<4xf32, #pebble.at<"host">>) -> !pebble.token
  pebble.wait %t
  return
}

// -----

// D22: a transfer copies bytes.
func.func @d22_shape(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D22] a transfer cannot turn 'tensor<4xf32>' into 'tensor<5xf32, #pebble.at<"host">>'}}
  %c, %t = pebble.store %x : tensor<4xf32> -> tensor<5xf32, #pebble.at<"host">>
  pebble.wait %t for %c : tensor<5xf32, #pebble.at<"host">>
  return
}

// -----

func.func @d22_element(%x: memref<4xf32>, %d: memref<4xi32, #pebble.at<"host">>) {
  // expected-error@+1 {{[D22] a transfer cannot turn}}
  %t = pebble.store %x into %d : memref<4xf32> -> memref<4xi32, #pebble.at<"host">>
  pebble.wait %t
  return
}

// -----

// D23: a store goes down from the compute tier, a load comes up to it.
func.func @d23_store_to_nowhere(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D23] a store goes to a tier slower than the compute tier, which its type must name}}
  %c, %t = pebble.store %x : tensor<4xf32> -> tensor<4xf32>
  pebble.wait %t for %c : tensor<4xf32>
  return
}

// -----

func.func @d23_load_from_nowhere(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D23] a load comes from a tier slower than the compute tier, which its type must name}}
  %c, %t = pebble.load %x : tensor<4xf32> -> tensor<4xf32>
  pebble.wait %t for %c : tensor<4xf32>
  return
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>, <"disk", kind = explicit>]>} {
  func.func @d23_store_to_the_compute_tier(%x: tensor<4xf32>) {
    // expected-error@+1 {{[D23] a store goes to a tier slower than the compute tier 'hbm', and 'hbm' is not}}
    %c, %t = pebble.store %x : tensor<4xf32> -> tensor<4xf32, #pebble.at<"hbm">>
    pebble.wait %t for %c : tensor<4xf32, #pebble.at<"hbm">>
    return
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>, <"disk", kind = explicit>]>} {
  func.func @d23_store_between_slow_tiers(%x: tensor<4xf32, #pebble.at<"host">>) {
    // expected-error@+1 {{[D23] a store starts from the compute tier 'hbm', not in 'host'}}
    %c, %t = pebble.store %x : tensor<4xf32, #pebble.at<"host">> -> tensor<4xf32, #pebble.at<"disk">>
    pebble.wait %t for %c : tensor<4xf32, #pebble.at<"disk">>
    return
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>, <"disk", kind = explicit>]>} {
  func.func @d23_load_to_a_slow_tier(%x: memref<4xf32, #pebble.at<"disk">>, %d: memref<4xf32, #pebble.at<"host">>) {
    // expected-error@+1 {{[D23] a load ends in the compute tier 'hbm', not in 'host'}}
    %t = pebble.load %x into %d : memref<4xf32, #pebble.at<"disk">> -> memref<4xf32, #pebble.at<"host">>
    pebble.wait %t
    return
  }
}

// -----

// D24: one wait, in the same block.
func.func @d24_never(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D24] a transfer is waited for exactly once, in the block in which it starts}}
  %c, %t = pebble.store %x : tensor<4xf32> -> tensor<4xf32, #pebble.at<"host">>
  return
}

// -----

func.func @d24_twice(%x: memref<4xf32>, %d: memref<4xf32, #pebble.at<"host">>) {
  // expected-error@+1 {{[D24] a transfer is waited for exactly once}}
  %t = pebble.store %x into %d : memref<4xf32> -> memref<4xf32, #pebble.at<"host">>
  pebble.wait %t
  pebble.wait %t
  return
}

// -----

func.func @d24_elsewhere(%x: memref<4xf32>, %d: memref<4xf32, #pebble.at<"host">>, %b: i1) {
  // expected-error@+1 {{[D24] a transfer is waited for exactly once, in the block in which it starts}}
  %t = pebble.store %x into %d : memref<4xf32> -> memref<4xf32, #pebble.at<"host">>
  scf.if %b {
    pebble.wait %t
  }
  return
}

// -----

// D25: a copy under way has one user.
func.func @d25(%x: tensor<4xf32>) {
  // expected-note@+1 {{the transfer starts here}}
  %c, %t = pebble.store %x : tensor<4xf32> -> tensor<4xf32, #pebble.at<"host">>
  // expected-error@+1 {{[D25] the copy is under way; only the pebble.wait for it may use it}}
  "any.use"(%c) : (tensor<4xf32, #pebble.at<"host">>) -> ()
  %y = pebble.wait %t for %c : tensor<4xf32, #pebble.at<"host">>
  return
}

// -----

// D26: a wait ends a transfer.
func.func @d26_token(%t: !pebble.token) {
  // expected-error@+1 {{[D26] a wait takes the token of a pebble.store or a pebble.load}}
  pebble.wait %t
  return
}

// -----

func.func @d26_forgotten_copy(%x: tensor<4xf32>) {
  %c, %t = pebble.store %x : tensor<4xf32> -> tensor<4xf32, #pebble.at<"host">>
  // expected-error@+1 {{[D26] a wait for a transfer of a tensor takes the copy: 'for'}}
  pebble.wait %t
  return
}

// -----

func.func @d26_other_copy(%x: tensor<4xf32>, %y: tensor<4xf32, #pebble.at<"host">>) {
  %c, %t = pebble.store %x : tensor<4xf32> -> tensor<4xf32, #pebble.at<"host">>
  // expected-error@+1 {{[D26] a wait for a transfer of a tensor takes the copy: 'for' that its own token came with}}
  pebble.wait %t for %y : tensor<4xf32, #pebble.at<"host">>
  return
}

// -----

func.func @d26_copy_of_a_memref(%x: memref<4xf32>, %d: memref<4xf32, #pebble.at<"host">>, %y: tensor<4xf32>) {
  %t = pebble.store %x into %d : memref<4xf32> -> memref<4xf32, #pebble.at<"host">>
  // expected-error@+1 {{[D26] a wait for a transfer of a memref takes the token alone}}
  pebble.wait %t for %y : tensor<4xf32>
  return
}

// -----

func.func @d26_result(%x: tensor<4xf32>) {
  %c, %t = pebble.store %x : tensor<4xf32> -> tensor<4xf32, #pebble.at<"host">>
  // expected-error@+1 {{[D26] a wait returns the copy that it takes}}
  "pebble.wait"(%t, %c) : (!pebble.token, tensor<4xf32, #pebble.at<"host">>) -> ()
  return
}

// -----

// D27: nothing disturbs a transfer under way.
func.func @d27_source_dropped(%x: tensor<4xf32> {pebble.donated}) {
  // expected-note@+1 {{the transfer starts here}}
  %c, %t = pebble.store %x : tensor<4xf32> -> tensor<4xf32, #pebble.at<"host">>
  // expected-error@+1 {{[D27] the value is dropped while a transfer reads it}}
  pebble.drop %x : tensor<4xf32>
  %y = pebble.wait %t for %c : tensor<4xf32, #pebble.at<"host">>
  return
}

// -----

func.func @d27_destination_used(%x: memref<4xf32>, %d: memref<4xf32, #pebble.at<"host">>) {
  // expected-note@+1 {{the transfer starts here}}
  %t = pebble.store %x into %d : memref<4xf32> -> memref<4xf32, #pebble.at<"host">>
  // expected-error@+1 {{[D27] the destination is used before the transfer into it has ended}}
  "any.use"(%d) : (memref<4xf32, #pebble.at<"host">>) -> ()
  pebble.wait %t
  return
}

// -----

// D28: what is dropped is gone.
func.func @d28_use(%x: tensor<4xf32> {pebble.donated}) {
  // expected-note@+1 {{it is dropped here}}
  pebble.drop %x : tensor<4xf32>
  // expected-error@+1 {{[D28] the value was dropped before this use}}
  "any.use"(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @d28_nested_use(%x: memref<4xf32> {pebble.donated}, %b: i1) {
  // expected-note@+1 {{it is dropped here}}
  pebble.drop %x : memref<4xf32>
  scf.if %b {
    // expected-error@+1 {{[D28] the value was dropped before this use}}
    "any.use"(%x) : (memref<4xf32>) -> ()
  }
  return
}

// -----

func.func @d28_twice(%x: tensor<4xf32> {pebble.donated}) {
  // expected-note@+1 {{it is dropped here}}
  pebble.drop %x : tensor<4xf32>
  // expected-error@+1 {{[D28] the value was dropped before this second drop}}
  pebble.drop %x : tensor<4xf32>
  return
}

// -----

// D29: a drop runs once.
func.func @d29(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{[D29] a value is dropped in the region that defines it}}
    pebble.drop %m : memref<4xf32>
  }
  return
}

// -----

// D30: what belongs to the caller stays.
func.func @d30(%x: tensor<4xf32> {pebble.donated}, %y: tensor<4xf32>) {
  // expected-error@+1 {{[D30] argument 1 belongs to the caller; only a donated argument may be dropped}}
  pebble.drop %y : tensor<4xf32>
  return
}

// -----

// Every spelling of a donation counts.
func.func @donated(%a: tensor<4xf32> {pebble.donated}, %b: tensor<4xf32> {bufferization.writable = true},
                   %c: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %d: tensor<4xf32> {jax.buffer_donor = true}) {
  pebble.drop %a : tensor<4xf32>
  pebble.drop %b : tensor<4xf32>
  pebble.drop %c : tensor<4xf32>
  pebble.drop %d : tensor<4xf32>
  return
}

// -----

func.func @d30_not_writable(%x: tensor<4xf32> {bufferization.writable = false}) {
  // expected-error@+1 {{[D30] argument 0 belongs to the caller}}
  pebble.drop %x : tensor<4xf32>
  return
}

// -----

// D31: a constant is no storage of the function's.
func.func @d31_tensor() {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  // expected-error@+1 {{[D31] a constant may not be dropped}}
  pebble.drop %c : tensor<4xf32>
  return
}

// -----

memref.global "private" constant @g : memref<4xf32> = dense<1.0>
func.func @d31_global() {
  %c = memref.get_global @g : memref<4xf32>
  // expected-error@+1 {{[D31] a constant may not be dropped}}
  pebble.drop %c : memref<4xf32>
  return
}

// -----

// D32: the identity changes nothing.
func.func @d32(%x: tensor<4xf32>) {
  // expected-error@+1 {{[D32] an identity returns the type that it takes}}
  %y = "pebble.opaque"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}
