// RUN: pebble-opt --pebble-place-frees --split-input-file %s | FileCheck %s

// A loop that makes a new buffer in each iteration frees the one before. The
// initial one is handed over to the loop.
// CHECK-LABEL: @loop_owns_what_it_carries
func.func @loop_owns_what_it_carries(%f: f32, %n: index, %i: index) -> f32 {
  // CHECK: %[[INIT:.*]] = memref.alloc
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %[[INIT]])
  // CHECK-NEXT: %[[NEW:.*]] = memref.alloc
  // CHECK-NEXT: memref.copy %[[X]], %[[NEW]]
  // CHECK-NEXT: memref.dealloc %[[X]]
  // CHECK-NEXT: scf.yield %[[NEW]]
  // CHECK: memref.load %[[R]]
  // CHECK-NEXT: memref.dealloc %[[R]]
  // CHECK-NOT: memref.dealloc
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a) -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %x, %new : memref<4xf32> to memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  %v = memref.load %r[%i] : memref<4xf32>
  return %v : f32
}

// -----

// The caller's argument is not the loop's to free: the loop carries whether what
// it has is its own.
// CHECK-LABEL: @loop_spares_what_it_does_not_own
// CHECK-SAME: (%[[ARG:.*]]: memref<4xf32>,
func.func @loop_spares_what_it_does_not_own(%a: memref<4xf32>, %n: index, %i: index) -> f32 {
  // CHECK: %[[NO:.*]] = arith.constant false
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[X:.*]] = %[[ARG]], %[[OWNED:.*]] = %[[NO]])
  // CHECK-NEXT: %[[NEW:.*]] = memref.alloc
  // CHECK-NEXT: memref.copy %[[X]], %[[NEW]]
  // CHECK-NEXT: scf.if %[[OWNED]] {
  // CHECK-NEXT: memref.dealloc %[[X]]
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[YES:.*]] = arith.constant true
  // CHECK-NEXT: scf.yield %[[NEW]], %[[YES]]
  // CHECK: memref.load %[[R]]#0
  // CHECK-NEXT: scf.if %[[R]]#1 {
  // CHECK-NEXT: memref.dealloc %[[R]]#0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a) -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %x, %new : memref<4xf32> to memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  %v = memref.load %r[%i] : memref<4xf32>
  return %v : f32
}

// -----

// Two buffers that change places are freed after the loop, and nothing copied.
// CHECK-LABEL: @buffers_that_change_places
func.func @buffers_that_change_places(%f: f32, %n: index, %i: index) -> f32 {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[B:.*]] = memref.alloc
  // CHECK: scf.for
  // CHECK-NOT: memref.alloc
  // CHECK-NOT: memref.dealloc
  // CHECK: memref.load
  // CHECK-DAG: memref.dealloc %[[A]]
  // CHECK-DAG: memref.dealloc %[[B]]
  // CHECK-NEXT: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  %v = memref.load %r#0[%i] : memref<4xf32>
  return %v : f32
}

// -----

// One branch makes a buffer, the other one has somebody else's: which it is goes
// along, and nothing is copied.
// CHECK-LABEL: @branch_says_whose_it_is
// CHECK-SAME: (%[[ARG:.*]]: memref<4xf32>,
func.func @branch_says_whose_it_is(%a: memref<4xf32>, %c: i1, %f: f32, %i: index) -> f32 {
  // CHECK: %[[R:.*]]:2 = scf.if
  // CHECK: %[[NEW:.*]] = memref.alloc
  // CHECK: %[[YES:.*]] = arith.constant true
  // CHECK: scf.yield %[[NEW]], %[[YES]]
  // CHECK: else
  // CHECK-NEXT: %[[NO:.*]] = arith.constant false
  // CHECK-NEXT: scf.yield %[[ARG]], %[[NO]]
  // CHECK: memref.load %[[R]]#0
  // CHECK-NEXT: scf.if %[[R]]#1 {
  // CHECK-NEXT: memref.dealloc %[[R]]#0
  %r = scf.if %c -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    linalg.fill ins(%f : f32) outs(%new : memref<4xf32>)
    scf.yield %new : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  %v = memref.load %r[%i] : memref<4xf32>
  return %v : f32
}

// -----

// A selection names both: neither is freed before it was used.
// CHECK-LABEL: @selection_keeps_both_alive
func.func @selection_keeps_both_alive(%c: i1, %f: f32, %i: index) -> f32 {
  // CHECK: memref.load
  // CHECK-NEXT: memref.dealloc
  // CHECK-NEXT: memref.dealloc
  // CHECK-NEXT: return
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
  %s = arith.select %c, %a, %b : memref<4xf32>
  %v = memref.load %s[%i] : memref<4xf32>
  return %v : f32
}

// -----

// CHECK-LABEL: @while_loop_owns_what_it_carries
func.func @while_loop_owns_what_it_carries(%f: f32, %i: index) -> f32 {
  // CHECK: scf.while (%[[X:.*]] = %{{.*}})
  // CHECK: scf.condition({{.*}}) %[[X]]
  // CHECK: ^bb0(%[[Y:.*]]: memref<4xf32>):
  // CHECK: %[[NEW:.*]] = memref.alloc
  // CHECK: memref.dealloc %[[Y]]
  // CHECK: scf.yield %[[NEW]]
  // CHECK: memref.load
  // CHECK-NEXT: memref.dealloc
  // CHECK-NOT: memref.dealloc
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %r = scf.while (%x = %a) : (memref<4xf32>) -> memref<4xf32> {
    %v = memref.load %x[%i] : memref<4xf32>
    %c = arith.cmpf olt, %v, %f : f32
    scf.condition(%c) %x : memref<4xf32>
  } do {
  ^bb0(%y: memref<4xf32>):
    %new = memref.alloc() : memref<4xf32>
    memref.copy %y, %new : memref<4xf32> to memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  %v = memref.load %r[%i] : memref<4xf32>
  return %v : f32
}

// -----

// Unstructured control flow: freed where the function ends.
// CHECK-LABEL: @used_in_several_blocks
func.func @used_in_several_blocks(%c: i1, %f: f32, %i: index) -> f32 {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: ^bb2
  // CHECK: memref.load %[[A]]
  // CHECK-NEXT: memref.dealloc %[[A]]
  // CHECK-NEXT: return
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  cf.cond_br %c, ^more, ^end
^more:
  memref.store %f, %a[%i] : memref<4xf32>
  cf.br ^end
^end:
  %v = memref.load %a[%i] : memref<4xf32>
  return %v : f32
}

// -----

// The address of a buffer is a name of it.
// CHECK-LABEL: @address_keeps_its_buffer
func.func @address_keeps_its_buffer(%f: f32) {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: llvm.store
  // CHECK-NEXT: memref.dealloc %[[A]]
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  llvm.store %f, %p : f32, !llvm.ptr
  return
}

// -----

// Loops that are known to run, or not to, carry flags like others.
// CHECK-LABEL: @loops_of_known_length
func.func @loops_of_known_length(%o: memref<4xf32>, %v: f32) {
  // CHECK: affine.for {{.*}} = 0 to 3 iter_args({{.*}}) -> (memref<4xf32>, i1)
  %r = affine.for %k = 0 to 3 iter_args(%x = %o) -> (memref<4xf32>) {
    %m = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
    affine.yield %m : memref<4xf32>
  }
  linalg.fill ins(%v : f32) outs(%r : memref<4xf32>)
  // CHECK: affine.for {{.*}} = 0 to 0 iter_args({{.*}}) -> (memref<4xf32>, i1)
  %s = affine.for %k = 0 to 0 iter_args(%x = %o) -> (memref<4xf32>) {
    %m = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
    affine.yield %m : memref<4xf32>
  }
  linalg.fill ins(%v : f32) outs(%s : memref<4xf32>)
  return
}
