// RUN: pebble-opt %s --split-input-file --allow-unregistered-dialect --pebble-print-storage -o /dev/null | FileCheck %s

// Which memory a value may lead to: what is not known to be fresh may be
// anything that it could be made of.

// CHECK-LABEL: storage of @loop_swaps_its_buffers
// CHECK: step {{[0-9]+}} scf.for %{{.*}}: writes s1, writes s0
func.func @loop_swaps_its_buffers(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias}, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xf32>, memref<4xf32>) {
    linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  return
}

// -----

// The body works on what the condition forwards.

// CHECK-LABEL: storage of @while_forwards_another_buffer
// CHECK: step {{[0-9]+}} scf.while %{{.*}}: writes s0
func.func @while_forwards_another_buffer(%y: memref<4xf32> {llvm.noalias}, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %c0) : (index) -> (memref<4xf32>) {
    %c = arith.cmpi ult, %i, %c1 : index
    scf.condition(%c) %y : memref<4xf32>
  } do {
  ^bb0(%m: memref<4xf32>):
    memref.store %v, %m[%c0] : memref<4xf32>
    scf.yield %c1 : index
  }
  return
}

// -----

// CHECK-LABEL: storage of @inner_branch_picks_the_buffer
// CHECK: step {{[0-9]+}} scf.if {{.*}}: writes s0 (4 bytes), writes s1 (4 bytes)
func.func @inner_branch_picks_the_buffer(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias}, %v: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  scf.if %p {
    %s = scf.if %p -> (memref<4xf32>) {
      scf.yield %x : memref<4xf32>
    } else {
      scf.yield %y : memref<4xf32>
    }
    memref.store %v, %s[%c0] : memref<4xf32>
  }
  return
}

// -----

// CHECK-LABEL: storage of @switch_picks_the_buffer
// CHECK: step {{[0-9]+}} memref.store {{.*}}: writes s1 (4 bytes), writes s0 (4 bytes)
func.func @switch_picks_the_buffer(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias}, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %s = scf.index_switch %n -> memref<4xf32>
  case 0 {
    scf.yield %x : memref<4xf32>
  }
  default {
    scf.yield %y : memref<4xf32>
  }
  memref.store %v, %s[%c0] : memref<4xf32>
  return
}

// -----

// CHECK-LABEL: storage of @blocks_of_a_region_hand_on
// CHECK: step {{[0-9]+}} scf.execute_region {{.*}}: writes s0
func.func @blocks_of_a_region_hand_on(%x: memref<4xf32> {llvm.noalias}, %v: f32) {
  %c0 = arith.constant 0 : index
  scf.execute_region {
    cf.br ^bb1(%x : memref<4xf32>)
  ^bb1(%m: memref<4xf32>):
    memref.store %v, %m[%c0] : memref<4xf32>
    scf.yield
  }
  return
}

// -----

// CHECK-LABEL: storage of @metadata_names_its_source
// CHECK: memref.store {{.*}}: writes s0 (4 bytes)
func.func @metadata_names_its_source(%x: memref<4xf32> {llvm.noalias}, %v: f32) {
  %c0 = arith.constant 0 : index
  %base, %o, %s, %st = memref.extract_strided_metadata %x : memref<4xf32> -> memref<f32>, index, index, index
  %m = memref.reinterpret_cast %base to offset: [%o], sizes: [4], strides: [%st] : memref<f32> to memref<4xf32, strided<[?], offset: ?>>
  memref.store %v, %m[%c0] : memref<4xf32, strided<[?], offset: ?>>
  return
}

// -----

// An address goes through integers and casts; a pointer that was made of one
// may also lead anywhere.

// CHECK-LABEL: storage of @address_through_integers
// CHECK: s0 argument %x: 16 bytes
// CHECK: anywhere memory from elsewhere
// CHECK: llvm.store {{.*}}: writes s0, writes s1
func.func @address_through_integers(%x: memref<4xf32> {llvm.noalias}, %v: f32) {
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xf32> -> index
  %i = arith.index_cast %p : index to i64
  %ptr = llvm.inttoptr %i : i64 to !llvm.ptr
  llvm.store %v, %ptr : f32, !llvm.ptr
  return
}

// -----

// CHECK-LABEL: storage of @casts_that_nobody_knows
// CHECK: memref.store {{.*}}: writes s0 (4 bytes)
func.func @casts_that_nobody_knows(%x: memref<4xf32> {llvm.noalias}, %v: f32) {
  %c0 = arith.constant 0 : index
  %l = builtin.unrealized_conversion_cast %x : memref<4xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %m = builtin.unrealized_conversion_cast %l : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  return
}

// -----

// What an op that is not registered was handed may come back from another.

// CHECK-LABEL: storage of @what_escaped_comes_back
// CHECK: s0 local %a: 16 bytes
// CHECK: unknown %m: 16 bytes, may be s0
func.func @what_escaped_comes_back(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  "x.keep"(%a) : (memref<4xf32>) -> ()
  %m = "x.give"() : () -> memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// What is stored as a value escapes, and what is loaded may be it.

// CHECK-LABEL: storage of @address_goes_through_memory
// CHECK: s0 local %a: 16 bytes
// CHECK: s[[ANY:[0-9]]] anywhere memory from elsewhere: 0 bytes, may be s0
// CHECK: llvm.store {{.*}}: writes s[[ANY]]
// CHECK: llvm.load %{{.*}}: reads s[[ANY]]
// CHECK: llvm.store {{.*}}: writes s[[ANY]]
func.func @address_goes_through_memory(%box: !llvm.ptr, %v: f32) {
  %a = memref.alloc() : memref<4xf32>
  %i = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %n = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %n : i64 to !llvm.ptr
  llvm.store %p, %box : !llvm.ptr, !llvm.ptr
  %q = llvm.load %box : !llvm.ptr -> !llvm.ptr
  llvm.store %v, %q : f32, !llvm.ptr
  return
}

// -----

// Two results that may be one buffer share both of theirs.

// CHECK-LABEL: storage of @two_results_of_one_allocation
// CHECK: memref.store {{.*}}: writes s[[A:[0-9]]] (4 bytes), writes s[[B:[0-9]]] (4 bytes)
// CHECK: memref.load %{{.*}}: reads s[[A]] (4 bytes), reads s[[B]] (4 bytes)
func.func @two_results_of_one_allocation(%p: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r:2 = scf.if %p -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a, %a : memref<4xf32>, memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    %c = memref.alloc() : memref<4xf32>
    scf.yield %b, %c : memref<4xf32>, memref<4xf32>
  }
  memref.store %v, %r#0[%c0] : memref<4xf32>
  %w = memref.load %r#1[%c0] : memref<4xf32>
  return %w : f32
}

// -----

// A callee whose loop swaps its arguments writes both.

// CHECK-LABEL: storage of @callee_swaps
// CHECK: step 0 swap: {{.*}}writes s0{{.*}}writes s1
func.func private @swap(%x: memref<4xf32>, %y: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xf32>, memref<4xf32>) {
    memref.store %v, %b[%i] : memref<4xf32>
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  return
}
func.func @callee_swaps(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias}, %v: f32) {
  func.call @swap(%x, %y, %v) : (memref<4xf32>, memref<4xf32>, f32) -> ()
  return
}

// -----

// A reshape of unknown extents reads its shape: it is a step, and its result a
// view of its source.

// CHECK-LABEL: storage of @reshape_reads_its_shape
// CHECK: step 0 memref.reshape %{{.*}}: reads s1, holds s0
// CHECK: step 1 memref.store at reach.mlir:[[@LINE+6]]: writes s1
// CHECK: step 2 memref.store at reach.mlir:[[@LINE+6]]: writes s0
func.func @reshape_reads_its_shape(%x: memref<4xf32> {llvm.noalias}, %s: memref<2xindex> {llvm.noalias}, %v: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %y = memref.reshape %x(%s) : (memref<4xf32>, memref<2xindex>) -> memref<?x?xf32>
  memref.store %c4, %s[%c0] : memref<2xindex>
  memref.store %v, %y[%c0, %c0] : memref<?x?xf32>
  return
}

// -----

// CHECK-LABEL: storage of @reshape_of_a_tensor_is_a_view
// CHECK: s1 local %y: 256 bytes, outlives
// CHECK-NOT: local %reshape
// CHECK: result 0 copies operand 1
func.func @reshape_of_a_tensor_is_a_view(%x: tensor<64xf32>, %v: f32) -> (tensor<8x8xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %y = math.exp %x : tensor<64xf32>
  %s = arith.constant dense<8> : tensor<2xindex>
  %r = tensor.reshape %y(%s) : (tensor<64xf32>, tensor<2xindex>) -> tensor<8x8xf32>
  %z = tensor.insert %v into %y[%c0] : tensor<64xf32>
  return %r, %z : tensor<8x8xf32>, tensor<64xf32>
}

// -----

// Atomic updates read and write.

// CHECK-LABEL: storage of @atomic_updates
// CHECK: step 0 memref.atomic_rmw %{{.*}}: reads s0{{.*}}, writes s0
// CHECK: step 1 memref.generic_atomic_rmw %{{.*}}: reads s0{{.*}}, writes s0
func.func @atomic_updates(%x: memref<4xf32> {llvm.noalias}, %v: f32) {
  %c0 = arith.constant 0 : index
  %0 = memref.atomic_rmw addf %v, %x[%c0] : (f32, memref<4xf32>) -> f32
  %1 = memref.generic_atomic_rmw %x[%c0] : memref<4xf32> {
  ^bb0(%old: f32):
    %new = arith.mulf %old, %v : f32
    memref.atomic_yield %new : f32
  }
  return
}

// -----

// A buffer that a nested op turns into a tensor is read there.

// CHECK-LABEL: storage of @nested_tensor_of_a_buffer
// CHECK: step 0 scf.if %{{.*}}: {{.*}}reads s0
func.func @nested_tensor_of_a_buffer(%x: memref<4xf32> {llvm.noalias}, %p: i1, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.if %p -> tensor<4xf32> {
    %t = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
    %e = math.exp %t : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    %e = math.exp %y : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// What a loop that never runs carries is what it begins with, and not whatever
// its body reads.

// CHECK-LABEL: storage of @loop_that_never_runs
// CHECK: step 1 affine.for %{{.*}}: reads s1, writes s2 (4 bytes), holds s2{{$}}
func.func @loop_that_never_runs(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
  %r = affine.for %i = 0 to 0 iter_args(%a = %b) -> (memref<4xf32>) {
    %e = tensor.extract %y[%c0] : tensor<4xf32>
    memref.store %e, %a[%c0] : memref<4xf32>
    affine.yield %a : memref<4xf32>
  }
  return
}

// -----

// A pointer that nobody does anything with but store through it, or load, is
// memory from outside; so is one that a loop takes from outside of its body.

// CHECK-LABEL: storage of @pointers_are_only_stored_through
// CHECK: step {{[0-9]+}} llvm.store {{.*}}: writes s[[P:[0-9]+]]
// CHECK-NEXT: step {{[0-9]+}} memref.load %{{.*}}: reads s[[X:[0-9]+]]
// CHECK-NEXT: step {{[0-9]+}} llvm.load %{{.*}}: reads s[[P]]
func.func @pointers_are_only_stored_through(%p: !llvm.ptr, %x: memref<4xf32>, %v: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  llvm.store %v, %p : f32, !llvm.ptr
  %w = memref.load %x[%c0] : memref<4xf32>
  %u = llvm.load %p : !llvm.ptr -> f32
  return %w, %u : f32, f32
}

// -----

// CHECK-LABEL: storage of @caller_of_what_stores_through_a_pointer
// CHECK: step {{[0-9]+}} poke
// CHECK-NEXT: barrier: 'func.call' calls a function whose effects are not known
func.func private @poke(%p: !llvm.ptr, %v: f32) {
  llvm.store %v, %p : f32, !llvm.ptr
  return
}
func.func @caller_of_what_stores_through_a_pointer(%x: memref<4xf32>, %v: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %i = memref.extract_aligned_pointer_as_index %x : memref<4xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %before = memref.load %x[%c0] : memref<4xf32>
  call @poke(%p, %v) : (!llvm.ptr, f32) -> ()
  %after = memref.load %x[%c0] : memref<4xf32>
  return %before, %after : f32, f32
}

// -----

// The address of a global of LLVM is a constant, and memory.

// CHECK-LABEL: storage of @address_of_a_global_is_memory
// CHECK: step {{[0-9]+}} llvm.load %{{.*}}: reads s0
// CHECK-NEXT: step {{[0-9]+}} llvm.store {{.*}}: writes s0
llvm.mlir.global internal @place(1.0 : f32) : f32
func.func @address_of_a_global_is_memory(%v: f32) -> f32 {
  %p = llvm.mlir.addressof @place : !llvm.ptr
  %w = llvm.load %p : !llvm.ptr -> f32
  llvm.store %v, %p : f32, !llvm.ptr
  return %w : f32
}

// -----

// A loop that may not overwrite what it begins with works on a copy, inside and
// behind it.

// CHECK-LABEL: storage of @loop_works_on_a_copy
// CHECK: step 0 scf.for %{{.*}}: reads s0, writes s1
// CHECK-NEXT: result 0 copies operand 3
// CHECK-NEXT: step 1 scf.if %{{.*}}: reads s1, reads s1 (4 bytes){{$}}
// CHECK-NEXT: step 2 tensor.extract %{{.*}}: reads s0 (4 bytes)
func.func @loop_works_on_a_copy(%t: tensor<4xf32>, %v: f32, %n: index, %p: i1) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
    %next = tensor.insert %v into %a[%c0] : tensor<4xf32>
    %m = bufferization.to_buffer %next : tensor<4xf32> to memref<4xf32>
    memref.store %v, %m[%c1] : memref<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  %w = scf.if %p -> (f32) {
    %m = bufferization.to_buffer %r read_only : tensor<4xf32> to memref<4xf32>
    %l = memref.load %m[%c0] : memref<4xf32>
    scf.yield %l : f32
  } else {
    scf.yield %v : f32
  }
  %u = tensor.extract %t[%c0] : tensor<4xf32>
  return %w, %u : f32, f32
}

// -----

// A tensor of a region is in its destination, and not in what it is computed
// of; one from outside is not written there.

// CHECK-LABEL: storage of @inner_tensor_is_in_its_destination
// CHECK: step 0 scf.if %{{.*}}: reads s0{{$}}
// CHECK-NEXT: scratch 64 bytes
// CHECK-NEXT: step 1 scf.if %{{.*}}: reads s1{{$}}
func.func @inner_tensor_is_in_its_destination(%t: tensor<4xf32>, %u: tensor<4xf32>, %v: f32, %p: i1) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %x = scf.if %p -> (f32) {
    %n = tensor.insert %v into %t[%c0] : tensor<4xf32>
    %m = bufferization.to_buffer %n read_only : tensor<4xf32> to memref<4xf32>
    %l = memref.load %m[%c0] : memref<4xf32>
    scf.yield %l : f32
  } else {
    scf.yield %v : f32
  }
  %y = scf.if %p -> (f32) {
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.exp ins(%u : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %s = linalg.add ins(%n, %n : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    %m = bufferization.to_buffer %s read_only : tensor<4xf32> to memref<4xf32>
    %l = memref.load %m[%c0] : memref<4xf32>
    scf.yield %l : f32
  } else {
    scf.yield %v : f32
  }
  return %x, %y : f32, f32
}

// -----

// The buffer of a tensor that a branch makes is handed out like one that it
// allocates.

// CHECK-LABEL: storage of @branch_hands_out_the_buffer_of_a_tensor
// CHECK: s[[MADE:[0-9]+]] local %{{.*}}: 16 bytes
// CHECK: step 0 scf.if %{{.*}}: reads s0, writes s[[MADE]], holds s1
// CHECK-NEXT: step 1 memref.store at reach.mlir:[[@LINE+12]]: writes s1 (4 bytes), writes s[[MADE]] (4 bytes)
// CHECK-NEXT: step 2 tensor.extract %{{.*}}: reads s0 (4 bytes)
func.func @branch_hands_out_the_buffer_of_a_tensor(%t: tensor<4xf32>, %x: memref<4xf32>, %v: f32, %p: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> (memref<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.exp ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %m = bufferization.to_buffer %n : tensor<4xf32> to memref<4xf32>
    scf.yield %m : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  memref.store %v, %r[%c0] : memref<4xf32>
  %u = tensor.extract %t[%c0] : tensor<4xf32>
  return %u : f32
}
