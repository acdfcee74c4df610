// RUN: pebble-opt --pebble-place-frees --split-input-file %s | FileCheck %s

// A buffer that one way needs longer than the other ends on each in its place.
// CHECK-LABEL: @ends_on_each_way
func.func @ends_on_each_way(%f: f32, %c: i1, %i: index) -> f32 {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: cf.cond_br %{{.*}}, ^[[LONG:.*]], ^[[SHORT:.*]]
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  cf.cond_br %c, ^long, ^short
// CHECK: ^[[LONG]]:
// CHECK-NEXT: memref.load %[[A]]
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: return
^long:
  %v = memref.load %a[%i] : memref<4xf32>
  return %v : f32
// CHECK: ^[[SHORT]]:
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: return
^short:
  return %f : f32
}

// -----

// What a block of a loop makes and another uses ends in the turn that made it.
// CHECK-LABEL: @ends_in_its_turn
func.func @ends_in_its_turn(%f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
// CHECK: ^[[HEAD:.*]](%{{.*}}: index):
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: cf.cond_br %{{.*}}, ^[[BODY:.*]], ^[[OUT:.*]]
^head(%i: index):
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^out
// CHECK: ^[[BODY]]:
// CHECK-NEXT: memref.store %{{.*}}, %[[A]]
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK: cf.br ^[[HEAD]]
^body:
  memref.store %f, %a[%c0] : memref<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
// CHECK: ^[[OUT]]:
// CHECK-NEXT: memref.dealloc %[[A]]
^out:
  return
}

// -----

// A block that two ways reach owns what they bring, if they had it to give: that
// goes along.
// CHECK-LABEL: @owns_what_it_is_given
// CHECK-SAME: (%[[ARG:.*]]: memref<4xf32>,
func.func @owns_what_it_is_given(%x: memref<4xf32>, %f: f32, %c: i1, %i: index) -> f32 {
  // CHECK: cf.cond_br %{{.*}}, ^[[MADE:.*]], ^[[WAY:.*]]
  cf.cond_br %c, ^made, ^join(%x : memref<4xf32>)
// CHECK: ^[[MADE]]:
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[YES:.*]] = arith.constant true
// CHECK: cf.br ^[[JOIN:.*]](%[[A]], %[[YES]] : memref<4xf32>, i1)
^made:
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  cf.br ^join(%a : memref<4xf32>)
// CHECK: ^[[WAY]]:
// CHECK-NEXT: %[[NO:.*]] = arith.constant false
// CHECK-NEXT: cf.br ^[[JOIN]](%[[ARG]], %[[NO]] : memref<4xf32>, i1)
// CHECK: ^[[JOIN]](%[[R:.*]]: memref<4xf32>, %[[OWNED:.*]]: i1):
// CHECK-NEXT: memref.load %[[R]]
// CHECK-NEXT: scf.if %[[OWNED]] {
// CHECK-NEXT: memref.dealloc %[[R]]
^join(%r: memref<4xf32>):
  %v = memref.load %r[%i] : memref<4xf32>
  return %v : f32
}

// -----

// A buffer of the first block that is needed afterwards stays with that block.
// CHECK-LABEL: @stays_where_it_is_needed
func.func @stays_where_it_is_needed(%f: f32, %c: i1, %i: index) -> f32 {
  // CHECK: %[[X:.*]] = memref.alloc
  %x = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%x : memref<4xf32>)
  cf.cond_br %c, ^made, ^join(%x : memref<4xf32>)
^made:
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  cf.br ^join(%a : memref<4xf32>)
// CHECK: ^{{.*}}(%[[R:.*]]: memref<4xf32>, %[[OWNED:.*]]: i1):
// CHECK-NEXT: memref.store %{{.*}}, %[[R]]
// CHECK-NEXT: scf.if %[[OWNED]] {
// CHECK-NEXT: memref.dealloc %[[R]]
// CHECK-NEXT: }
// CHECK-NEXT: memref.load %[[X]]
// CHECK-NEXT: memref.dealloc %[[X]]
^join(%r: memref<4xf32>):
  memref.store %f, %r[%i] : memref<4xf32>
  %v = memref.load %x[%i] : memref<4xf32>
  return %v : f32
}
