// RUN: pebble-opt --pebble-place-frees --split-input-file %s | FileCheck %s

// An allocation stands right before its first use, its free right after its last.
// CHECK-LABEL: @allocation_sinks_and_free_follows_last_use
func.func @allocation_sinks_and_free_follows_last_use(%f: f32, %out: memref<4xf32>) {
  // CHECK-NOT: memref.alloc
  // CHECK: linalg.fill {{.*}} outs(%arg1
  // CHECK-NEXT: %[[A:.*]] = memref.alloc
  // CHECK-NEXT: linalg.fill {{.*}} outs(%[[A]]
  // CHECK-NEXT: %[[V:.*]] = memref.subview %[[A]]
  // CHECK-NEXT: memref.copy %[[V]]
  // CHECK-NEXT: memref.dealloc %[[A]]
  // CHECK-NEXT: linalg.fill {{.*}} outs(%arg1
  %a = memref.alloc() : memref<8xf32>
  %v = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  linalg.fill ins(%f : f32) outs(%out : memref<4xf32>)
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  memref.copy %v, %out : memref<4xf32, strided<[1], offset: 2>> to memref<4xf32>
  linalg.fill ins(%f : f32) outs(%out : memref<4xf32>)
  memref.dealloc %a : memref<8xf32>
  return
}

// -----

// CHECK-LABEL: @untouched_allocation_is_erased
func.func @untouched_allocation_is_erased() {
  // CHECK-NEXT: return
  %a = memref.alloc() : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

// -----

// CHECK-LABEL: @stack_allocation_is_an_allocation
func.func @stack_allocation_is_an_allocation(%f: f32, %i: index) -> f32 {
  // CHECK: %[[A:.*]] = memref.alloc() : memref<8xf32>
  // CHECK: memref.load %[[A]]
  // CHECK-NEXT: memref.dealloc %[[A]]
  %a = memref.alloca() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %r = memref.load %a[%i] : memref<8xf32>
  return %r : f32
}

// -----

// The callee's result belongs to the caller, which frees it once.
// CHECK-LABEL: @make
func.func private @make(%f: f32) -> memref<4xf32> {
  // CHECK-NOT: dealloc
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  return %a : memref<4xf32>
}
// CHECK-LABEL: @fresh_result_of_a_call_is_freed
func.func @fresh_result_of_a_call_is_freed(%f: f32, %i: index) -> f32 {
  // CHECK: %[[A:.*]] = call @make
  // CHECK-NEXT: %[[B:.*]] = call @make
  // CHECK-NEXT: memref.dealloc %[[B]]
  // CHECK-NEXT: memref.load %[[A]]
  // CHECK-NEXT: memref.dealloc %[[A]]
  %a = call @make(%f) : (f32) -> memref<4xf32>
  %unused = call @make(%f) : (f32) -> memref<4xf32>
  %r = memref.load %a[%i] : memref<4xf32>
  return %r : f32
}

// -----

func.func private @pass(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
// A result that is the callee's argument is another name for the operand.
// CHECK-LABEL: @passed_through_result_is_an_alias
func.func @passed_through_result_is_an_alias(%f: f32, %i: index) -> f32 {
  // CHECK: memref.load
  // CHECK-NEXT: memref.dealloc
  // CHECK-NOT: memref.dealloc
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %b = call @pass(%a) : (memref<4xf32>) -> memref<4xf32>
  %r = memref.load %b[%i] : memref<4xf32>
  return %r : f32
}

// -----

// CHECK-LABEL: @donated_argument_is_freed
// CHECK-SAME: %[[A:.*]]: memref<4xf32> {pebble.donated}, %[[B:.*]]: memref<4xf32>
func.func @donated_argument_is_freed(%a: memref<4xf32> {pebble.donated}, %b: memref<4xf32>) {
  // CHECK-NEXT: memref.copy
  // CHECK-NEXT: memref.dealloc %[[A]]
  // CHECK-NEXT: return
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: @returned_donated_argument_belongs_to_the_caller
func.func @returned_donated_argument_belongs_to_the_caller(%a: memref<4xf32> {pebble.donated}) -> memref<4xf32> {
  // CHECK-NEXT: return
  return %a : memref<4xf32>
}

// A buffer that is still needed cannot be given away: a copy is.
// CHECK-LABEL: @caller_keeps_what_it_still_needs
func.func @caller_keeps_what_it_still_needs(%b: memref<4xf32>, %f: f32) {
  // CHECK: linalg.fill {{.*}} outs(%[[A:.*]] :
  // CHECK: %[[C:.*]] = memref.alloc
  // CHECK-NEXT: memref.copy %[[A]], %[[C]]
  // CHECK-NEXT: call @donated_argument_is_freed(%[[C]]
  // CHECK-NEXT: call @donated_argument_is_freed(%[[A]]
  // CHECK-NEXT: return
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  call @donated_argument_is_freed(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  call @donated_argument_is_freed(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// Two results with one buffer: the caller frees it once.
// CHECK-LABEL: @twice
func.func private @twice(%f: f32) -> (memref<4xf32>, memref<4xf32>) {
  // CHECK-NOT: memref.copy
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  return %a, %a : memref<4xf32>, memref<4xf32>
}
// CHECK-LABEL: @shared_results_are_freed_once
func.func @shared_results_are_freed_once(%f: f32, %i: index) -> f32 {
  // CHECK: memref.load
  // CHECK-NEXT: memref.dealloc
  // CHECK-NOT: memref.dealloc
  %a:2 = call @twice(%f) : (f32) -> (memref<4xf32>, memref<4xf32>)
  %r = memref.load %a#1[%i] : memref<4xf32>
  return %r : f32
}

// -----

// Frees of one of several buffers, or in some runs: owners free all the same.
// CHECK-LABEL: @freed_in_a_branch
func.func @freed_in_a_branch(%f: f32, %c: i1, %i: index) -> f32 {
  // CHECK: scf.if
  // CHECK-NOT: memref.dealloc
  // CHECK: }
  // CHECK: }
  // CHECK-NEXT: memref.dealloc
  // CHECK-NOT: memref.dealloc
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %r = scf.if %c -> f32 {
    memref.dealloc %a : memref<4xf32>
    scf.yield %f : f32
  } else {
    %v = memref.load %a[%i] : memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    scf.yield %v : f32
  }
  return %r : f32
}

// -----

// CHECK-LABEL: @freed_through_a_selection
func.func @freed_through_a_selection(%f: f32, %c: i1) {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[B:.*]] = memref.alloc
  // CHECK: linalg.fill
  // CHECK-DAG: memref.dealloc %[[A]]
  // CHECK-DAG: memref.dealloc %[[B]]
  // CHECK-NOT: memref.dealloc
  // CHECK: return
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  memref.dealloc %s : memref<4xf32>
  return
}

// -----

// An argument that is freed in some runs stays the caller's, and no global ends.
memref.global @numbers : memref<4xf32>
// CHECK-LABEL: @freed_in_some_runs
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %{{.*}}: i1
// CHECK-NOT: pebble.donated
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @freed_in_some_runs(%x: memref<4xf32>, %c: i1, %owned: i1) {
  %g = memref.get_global @numbers : memref<4xf32>
  %s = arith.select %c, %x, %g : memref<4xf32>
  scf.if %owned {
    memref.dealloc %s : memref<4xf32>
  }
  return
}
