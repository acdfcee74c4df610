// RUN: pebble-opt %s --pebble-print-storage -o /dev/null | FileCheck %s

// Calls do to their caller's storages what their callees do.

func.func private @fresh(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = math.exp %x : tensor<16xf32>
  %b = math.exp %a : tensor<16xf32>
  return %b : tensor<16xf32>
}

func.func private @same(%x: tensor<16xf32>) -> tensor<16xf32> { return %x : tensor<16xf32> }

func.func private @update(%w: tensor<16xf32> {pebble.donated}, %g: tensor<16xf32>) -> tensor<16xf32> {
  %n = linalg.sub ins(%w, %g : tensor<16xf32>, tensor<16xf32>) outs(%w : tensor<16xf32>) -> tensor<16xf32>
  return %n : tensor<16xf32>
}

func.func private @scale(%m: memref<16xf32>, %v: f32) {
  %i = arith.constant 0 : index
  %x = memref.load %m[%i] : memref<16xf32>
  memref.store %v, %m[%i] : memref<16xf32>
  return
}

func.func private @peek(%m: memref<16xf32>) -> f32 {
  %i = arith.constant 0 : index
  %x = memref.load %m[%i] : memref<16xf32>
  return %x : f32
}

memref.global "private" @counter : memref<1xi32> = dense<0>

func.func private @count() {
  %i = arith.constant 0 : index
  %c = memref.get_global @counter : memref<1xi32>
  %x = memref.load %c[%i] : memref<1xi32>
  memref.store %x, %c[%i] : memref<1xi32>
  return
}

func.func private @external(tensor<16xf32>) -> tensor<16xf32>

func.func private @loops_forever(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = call @loops_forever(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// CHECK-LABEL: storage of @fresh_result_has_its_own_storage:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %y: 64 bytes, outlives
// CHECK-NEXT:   step 0 fresh: reads s0, writes s1
// CHECK-NEXT:     scratch 64 bytes
func.func @fresh_result_has_its_own_storage(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = call @fresh(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// CHECK-LABEL: storage of @returned_argument_shares_it:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes
// CHECK-NEXT:   s2 local %z: 64 bytes, outlives
// CHECK-NEXT:   step 0 math.exp %a: reads s0, writes s1
// CHECK-NEXT:   step 1 same: reads s1
// CHECK-NEXT:   step 2 math.exp %z: reads s1, writes s2
func.func @returned_argument_shares_it(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = math.exp %x : tensor<16xf32>
  %y = call @same(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %z = math.exp %y : tensor<16xf32>
  return %z : tensor<16xf32>
}

// CHECK-LABEL: storage of @donated_argument_is_written:
// CHECK-NEXT:   s0 donated %w: 64 bytes, outlives
// CHECK-NEXT:   s1 argument %g: 64 bytes
// CHECK-NEXT:   step 0 update: reads s0, reads s1, writes s0
// CHECK-NEXT:     result 0 overwrites operand 0
func.func @donated_argument_is_written(%w: tensor<16xf32> {pebble.donated}, %g: tensor<16xf32>) -> tensor<16xf32> {
  %n = call @update(%w, %g) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %n : tensor<16xf32>
}

// The callee overwrites its argument; the caller may not give its own away, and
// the copy is the result.
// CHECK-LABEL: storage of @argument_still_read_is_not_given_away:
// CHECK-NEXT:   s0 argument %w: 64 bytes
// CHECK-NEXT:   s1 argument %g: 64 bytes
// CHECK-NEXT:   s2 local %n: 64 bytes, outlives
// CHECK-NEXT:   step 0 update: reads s0, reads s1, writes s2
func.func @argument_still_read_is_not_given_away(%w: tensor<16xf32>, %g: tensor<16xf32>) -> tensor<16xf32> {
  %n = call @update(%w, %g) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %n : tensor<16xf32>
}

// CHECK-LABEL: storage of @callee_effects_reach_the_caller:
// CHECK-NEXT:   s0 argument %m: 64 bytes
// CHECK-NEXT:   s1 global @counter: 4 bytes, may be s0
// CHECK-NEXT:   step 0 scale: reads s0, writes s0
// CHECK-NEXT:   step 1 peek: reads s0
// CHECK-NEXT:   step 2 count: reads s1, writes s1
func.func @callee_effects_reach_the_caller(%m: memref<16xf32>, %v: f32) -> f32 {
  call @scale(%m, %v) : (memref<16xf32>, f32) -> ()
  %x = call @peek(%m) : (memref<16xf32>) -> f32
  call @count() : () -> ()
  return %x : f32
}

// CHECK-LABEL: storage of @unknown_callee_is_a_barrier:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %y: 64 bytes, outlives
// CHECK-NEXT:   step 0 external: reads s0, writes s0 (0 bytes), writes s1
// CHECK-NEXT:     barrier: 'func.call' calls a function whose effects are not known
func.func @unknown_callee_is_a_barrier(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = call @external(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// CHECK-LABEL: storage of @recursion_is_a_barrier:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %y: 64 bytes, outlives
// CHECK-NEXT:   step 0 loops_forever: reads s0, writes s0 (0 bytes), writes s1
// CHECK-NEXT:     barrier: 'func.call' calls a function whose effects are not known
func.func @recursion_is_a_barrier(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = call @loops_forever(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
