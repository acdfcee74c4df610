// RUN: pebble-opt %s --pebble-raise-loops=unrolled=3 --split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-raise-loops=unrolled=3 --split-input-file --remarks-filter=pebble-raise-loops 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not pebble-opt %s --pebble-raise-loops=unrolled=2 -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not pebble-opt %s --pebble-raise-loops=unrolled=-3 -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: 'unrolled' takes a whole number from 3 to 9223372036854775807, got {{2|-3}}

// Four steps. The adjoint begins with the final state, and the first step reads
// the argument.
// CHECK-LABEL: func.func @steps
// CHECK: pebble.adjoint_loop %c4 states(%arg0 : tensor<8xf32>) adjoints(%{{.*}} : tensor<8xf32>) primal {
// CHECK-NEXT: ^bb0(%{{[a-z0-9]+}}: index, %[[S:[a-z0-9]+]]: tensor<8xf32>):
// CHECK-NEXT: %[[N:.*]] = math.sin %[[S]]
// CHECK-NEXT: pebble.yield %[[N]]
// CHECK: turn {
// CHECK-NEXT: ^bb0(%[[F:[a-z0-9]+]]: tensor<8xf32>,
// CHECK-NEXT: pebble.yield %[[F]]
// CHECK: adjoint {
// CHECK-NEXT: ^bb0(%{{[a-z0-9]+}}: index, %[[S:[a-z0-9]+]]: tensor<8xf32>, %[[A:[a-z0-9]+]]: tensor<8xf32>):
// CHECK-NEXT: %[[C:.*]] = math.cos %[[S]]
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[C]]
// CHECK-NEXT: pebble.yield %[[B]]
// CHECK-NOT: math
// REMARK: remark: [Passed] raise | {{.*}}"raised from 4 steps of 1 and 2 operations"
func.func @steps(%x: tensor<8xf32>) -> tensor<8xf32> {
  %h1 = math.sin %x : tensor<8xf32>
  %h2 = math.sin %h1 : tensor<8xf32>
  %h3 = math.sin %h2 : tensor<8xf32>
  %h4 = math.sin %h3 : tensor<8xf32>
  %c3 = math.cos %h3 : tensor<8xf32>
  %a3 = arith.mulf %h4, %c3 : tensor<8xf32>
  %c2 = math.cos %h2 : tensor<8xf32>
  %a2 = arith.mulf %a3, %c2 : tensor<8xf32>
  %c1 = math.cos %h1 : tensor<8xf32>
  %a1 = arith.mulf %a2, %c1 : tensor<8xf32>
  %c0 = math.cos %x : tensor<8xf32>
  %a0 = arith.mulf %a1, %c0 : tensor<8xf32>
  return %a0 : tensor<8xf32>
}

// -----

// Offsets and numbers that grow evenly follow the step; the gradient is summed
// up.
// CHECK-LABEL: func.func @inputs
// CHECK: pebble.adjoint_loop %c4 states(%arg0 : f32) adjoints(%arg0, %arg2 : f32, tensor<8xf32>) primal {
// CHECK-NEXT: ^bb0(%[[I:[a-z0-9]+]]: index, %[[S:[a-z0-9]+]]: f32):
// CHECK: %[[TWICE:.*]] = arith.muli %[[I]], %c2
// CHECK: %[[K:.*]] = arith.addi %[[TWICE]], %c1
// CHECK: %[[X:.*]] = tensor.extract %arg1[%[[K]]]
// CHECK: arith.addf %[[S]], %[[X]]
// CHECK: adjoint {
// CHECK: tensor.insert_slice
// CHECK: pebble.yield
// REMARK: remark: [Passed] raise | {{.*}}"raised from 4 steps of 3 and 5 operations"
func.func @inputs(%s0: f32, %x: tensor<9xf32>, %g0: tensor<8xf32>) -> (tensor<8xf32>, f32) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %x0 = tensor.extract %x[%c1] : tensor<9xf32>
  %p0 = arith.addf %s0, %x0 : f32
  %s1 = math.sin %p0 : f32
  %x1 = tensor.extract %x[%c3] : tensor<9xf32>
  %p1 = arith.addf %s1, %x1 : f32
  %s2 = math.sin %p1 : f32
  %x2 = tensor.extract %x[%c5] : tensor<9xf32>
  %p2 = arith.addf %s2, %x2 : f32
  %s3 = math.sin %p2 : f32
  %x3 = tensor.extract %x[%c7] : tensor<9xf32>
  %p3 = arith.addf %s3, %x3 : f32
  %s4 = math.sin %p3 : f32
  %q3 = math.cos %p3 : f32
  %a3 = arith.mulf %s0, %q3 : f32
  %d3 = tensor.from_elements %a3 : tensor<1xf32>
  %e3 = math.absf %d3 : tensor<1xf32>
  %g3 = tensor.insert_slice %e3 into %g0[6] [1] [1] : tensor<1xf32> into tensor<8xf32>
  %q2 = math.cos %p2 : f32
  %a2 = arith.mulf %a3, %q2 : f32
  %d2 = tensor.from_elements %a2 : tensor<1xf32>
  %e2 = math.absf %d2 : tensor<1xf32>
  %g2 = tensor.insert_slice %e2 into %g3[4] [1] [1] : tensor<1xf32> into tensor<8xf32>
  %q1 = math.cos %p1 : f32
  %a1 = arith.mulf %a2, %q1 : f32
  %d1 = tensor.from_elements %a1 : tensor<1xf32>
  %e1 = math.absf %d1 : tensor<1xf32>
  %g1 = tensor.insert_slice %e1 into %g2[2] [1] [1] : tensor<1xf32> into tensor<8xf32>
  %q0 = math.cos %p0 : f32
  %a0 = arith.mulf %a1, %q0 : f32
  %d0 = tensor.from_elements %a0 : tensor<1xf32>
  %e0 = math.absf %d0 : tensor<1xf32>
  %g = tensor.insert_slice %e0 into %g1[0] [1] [1] : tensor<1xf32> into tensor<8xf32>
  return %g, %a0 : tensor<8xf32>, f32
}

// -----

// The second state is returned too: no step of a loop is seen from outside.
// CHECK-LABEL: func.func @used_elsewhere
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}}"steps that repeat here, and read from steps that repeat before them, are not raised: a value of one of its steps is used elsewhere too"
func.func @used_elsewhere(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %h1 = math.sin %x : tensor<8xf32>
  %h2 = math.sin %h1 : tensor<8xf32>
  %h3 = math.sin %h2 : tensor<8xf32>
  %h4 = math.sin %h3 : tensor<8xf32>
  %c3 = math.cos %h3 : tensor<8xf32>
  %a3 = arith.mulf %h4, %c3 : tensor<8xf32>
  %c2 = math.cos %h2 : tensor<8xf32>
  %a2 = arith.mulf %a3, %c2 : tensor<8xf32>
  %c1 = math.cos %h1 : tensor<8xf32>
  %a1 = arith.mulf %a2, %c1 : tensor<8xf32>
  %c0 = math.cos %x : tensor<8xf32>
  %a0 = arith.mulf %a1, %c0 : tensor<8xf32>
  return %a0, %h2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// The backward steps read from the first to the last.
// CHECK-LABEL: func.func @wrong_order
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}} are not raised: operand #0 of a 'math.cos' is neither the same in all steps nor handed on from one to the next
func.func @wrong_order(%x: tensor<8xf32>) -> tensor<8xf32> {
  %h1 = math.sin %x : tensor<8xf32>
  %h2 = math.sin %h1 : tensor<8xf32>
  %h3 = math.sin %h2 : tensor<8xf32>
  %h4 = math.sin %h3 : tensor<8xf32>
  %c3 = math.cos %x : tensor<8xf32>
  %a3 = arith.mulf %h4, %c3 : tensor<8xf32>
  %c2 = math.cos %h1 : tensor<8xf32>
  %a2 = arith.mulf %a3, %c2 : tensor<8xf32>
  %c1 = math.cos %h2 : tensor<8xf32>
  %a1 = arith.mulf %a2, %c1 : tensor<8xf32>
  %c0 = math.cos %h3 : tensor<8xf32>
  %a0 = arith.mulf %a1, %c0 : tensor<8xf32>
  return %a0 : tensor<8xf32>
}

// -----

// Each step has an input of its own, which is no slice.
// CHECK-LABEL: func.func @other_inputs
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}} are not raised: operand #1 of a 'arith.addf' is neither the same in all steps nor handed on
func.func @other_inputs(%x: f32, %i0: f32, %i1: f32, %i2: f32, %i3: f32) -> f32 {
  %p0 = arith.addf %x, %i0 : f32
  %h1 = math.sin %p0 : f32
  %p1 = arith.addf %h1, %i2 : f32
  %h2 = math.sin %p1 : f32
  %p2 = arith.addf %h2, %i1 : f32
  %h3 = math.sin %p2 : f32
  %p3 = arith.addf %h3, %i3 : f32
  %h4 = math.sin %p3 : f32
  %c3 = math.cos %p3 : f32
  %a3 = arith.mulf %h4, %c3 : f32
  %c2 = math.cos %p2 : f32
  %a2 = arith.mulf %a3, %c2 : f32
  %c1 = math.cos %p1 : f32
  %a1 = arith.mulf %a2, %c1 : f32
  %c0 = math.cos %p0 : f32
  %a0 = arith.mulf %a1, %c0 : f32
  return %a0 : f32
}

// -----

// A step writes to memory; what was tried is taken back.
// CHECK-LABEL: func.func @effects
// CHECK-NOT: scf.for
// CHECK-NOT: pebble.adjoint_loop
// CHECK-COUNT-4: memref.store
// CHECK: return
// REMARK: remark: [Missed] raise | {{.*}} are not raised: 'memref.store' in it may have effects
func.func @effects(%x: f32, %m: memref<f32>) -> f32 {
  %h1 = math.sin %x : f32
  memref.store %h1, %m[] : memref<f32>
  %h2 = math.sin %h1 : f32
  memref.store %h2, %m[] : memref<f32>
  %h3 = math.sin %h2 : f32
  memref.store %h3, %m[] : memref<f32>
  %h4 = math.sin %h3 : f32
  memref.store %h4, %m[] : memref<f32>
  %c3 = math.cos %h3 : f32
  %a3 = arith.mulf %h4, %c3 : f32
  %c2 = math.cos %h2 : f32
  %a2 = arith.mulf %a3, %c2 : f32
  %c1 = math.cos %h1 : f32
  %a1 = arith.mulf %a2, %c1 : f32
  %c0 = math.cos %x : f32
  %a0 = arith.mulf %a1, %c0 : f32
  return %a0 : f32
}
