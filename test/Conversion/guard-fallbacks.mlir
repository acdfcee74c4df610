// A guard takes the name of a function whose plan rests on a bound, and passes
// its arguments on: to the plan, or to what pebble.fallback names.
// RUN: pebble-opt %s --pebble-guard-fallbacks --split-input-file --verify-diagnostics | FileCheck %s
// RUN: pebble-opt %s --pebble-guard-fallbacks --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=COST
// COST-NOT: pebble.fallback
// COST-NOT: memref.alloc
// COST-NOT: memref.copy

// CHECK-DAG: memref.global "private" constant @step.name : memref<5xi8> = dense<[115, 116, 101, 112, 0]>
// CHECK-DAG: memref.global "private" constant @step.fallback : memref<13xi8> = dense<[115, 116, 101, 112, 46, 108, 101, 97, 110, 101, 115, 116, 0]>
// CHECK-DAG: func.func private @pebble_rt_note_fallback(index, index, index, index)

// Who calls from C++ meets the guard, and so does who hands a buffer over.
// CHECK-LABEL: func.func @step(
// CHECK-SAME: %[[X:.*]]: memref<?x8x?xf32> {pebble.donated}, %[[Y:.*]]: memref<4xf32>, %[[N:.*]]: index
// CHECK-SAME: -> (memref<?xf32>, f32)
// CHECK-SAME: llvm.emit_c_interface
// CHECK-DAG: %[[FIRST:.*]] = memref.dim %[[X]], %c0
// CHECK-DAG: %[[LAST:.*]] = memref.dim %[[X]], %c2
// CHECK-NOT: memref.dim
// CHECK: %[[LARGEST:.*]] = arith.maxsi %[[FIRST]], %[[LAST]] : index
// CHECK: %[[BOUND:.*]] = arith.constant 64 : index
// CHECK: %[[OVER:.*]] = arith.cmpi sgt, %[[LARGEST]], %[[BOUND]] : index
// CHECK: cf.cond_br %[[OVER]], ^[[LEANEST:.*]], ^[[PLANNED:.*]]
// CHECK: ^[[LEANEST]]:
// CHECK: call @pebble_rt_note_fallback(%{{.*}}, %{{.*}}, %[[LARGEST]], %[[BOUND]])
// CHECK: %[[L:.*]]:2 = call @step.leanest(%[[X]], %[[Y]], %[[N]])
// CHECK: return %[[L]]#0, %[[L]]#1
// CHECK: ^[[PLANNED]]:
// CHECK: %[[P:.*]]:2 = call @step.planned(%[[X]], %[[Y]], %[[N]])
// CHECK: return %[[P]]#0, %[[P]]#1
// CHECK-LABEL: func.func private @step.planned(
// CHECK-SAME: memref<?x8x?xf32> {pebble.donated}
// CHECK-NOT: llvm.emit_c_interface
// CHECK: memref.dealloc
func.func @step(%x: memref<?x8x?xf32> {pebble.donated}, %y: memref<4xf32>, %n: index) -> (memref<?xf32>, f32)
    attributes {llvm.emit_c_interface, pebble.fallback = {function = @step.leanest, dim_bound = 64 : i64}} {
  %zero = arith.constant 0.0 : f32
  memref.dealloc %x : memref<?x8x?xf32>
  %r = func.call @make(%n) : (index) -> memref<?xf32>
  return %r, %zero : memref<?xf32>, f32
}
func.func private @step.leanest(%x: memref<?x8x?xf32> {pebble.donated}, %y: memref<4xf32>, %n: index) -> (memref<?xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %r = func.call @make(%n) : (index) -> memref<?xf32>
  memref.dealloc %x : memref<?x8x?xf32>
  return %r, %zero : memref<?xf32>, f32
}
func.func private @make(index) -> memref<?xf32>

// Callers inside of the module call what they called.
// CHECK-LABEL: func.func @caller(
// CHECK: call @step(
func.func @caller(%x: memref<?x8x?xf32> {pebble.donated}, %y: memref<4xf32>, %n: index) -> memref<?xf32> {
  %r:2 = call @step(%x, %y, %n) : (memref<?x8x?xf32>, memref<4xf32>, index) -> (memref<?xf32>, f32)
  return %r#0 : memref<?xf32>
}

// -----

// Nothing leaner is known: the plan runs, and the line is written. Names that
// are taken stay with whom they belong to.
// CHECK-LABEL: func.func @itself(
// CHECK: cf.cond_br
// CHECK: call @pebble_rt_note_fallback
// CHECK: call @[[PLAN:itself.planned_[0-9]+]](
// CHECK: call @[[PLAN]](
// CHECK: func.func private @[[PLAN]](
// CHECK: func.func private @itself.planned(
func.func @itself(%x: memref<?xf32>) attributes {pebble.fallback = {function = @itself, dim_bound = 8 : i64}} {
  return
}
func.func private @itself.planned(%x: memref<?xf32>) {
  return
}

// -----

// No call can break the bound.
// CHECK-LABEL: func.func @fixed(
// CHECK-NEXT: return
// CHECK-NOT: planned
func.func @fixed(%x: memref<4xf32>, %any: memref<*xf32>) attributes {pebble.fallback = {function = @fixed.leanest, dim_bound = 8 : i64}} {
  return
}
func.func private @fixed.leanest(%x: memref<4xf32>, %any: memref<*xf32>) {
  return
}

// -----

// expected-error@+1 {{'pebble.fallback' names 'missing', which is no function of the same type}}
func.func @nowhere(%x: memref<?xf32>) attributes {pebble.fallback = {function = @missing, dim_bound = 8 : i64}} {
  return
}

// -----

// expected-error@+1 {{'pebble.fallback' names 'other', which is no function of the same type}}
func.func @types(%x: memref<?xf32>) attributes {pebble.fallback = {function = @other, dim_bound = 8 : i64}} {
  return
}
func.func private @other(%x: memref<?x4xf32>) {
  return
}

// -----

// expected-error@+1 {{'pebble.fallback' names 'declared', which is no function of the same type}}
func.func @no_code(%x: memref<?xf32>) attributes {pebble.fallback = {function = @declared, dim_bound = 8 : i64}} {
  return
}
func.func private @declared(%x: memref<?xf32>)

// -----

// expected-error@+1 {{'pebble.fallback' names 'pong', which falls back itself}}
func.func @ping(%x: memref<?xf32>) attributes {pebble.fallback = {function = @pong, dim_bound = 8 : i64}} {
  return
}
func.func @pong(%x: memref<?xf32>) attributes {pebble.fallback = {function = @ping, dim_bound = 8 : i64}} {
  return
}

// -----

// expected-error@+1 {{'pebble.fallback' stands on a function that has no body}}
func.func private @no_body(%x: memref<?xf32>) attributes {pebble.fallback = {function = @no_body, dim_bound = 8 : i64}}

// -----

// expected-error@+1 {{a guard passes on buffers, and this function still has tensors: bufferize first}}
func.func @tensors(%x: tensor<?xf32>) attributes {pebble.fallback = {function = @tensors, dim_bound = 8 : i64}} {
  return
}
