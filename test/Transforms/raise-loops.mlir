// RUN: pebble-opt %s --pebble-raise-loops=pure=stablehlo --split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-raise-loops=pure=stablehlo --split-input-file --remarks-filter=pebble-raise-loops 2>&1 | FileCheck %s --check-prefix=REMARK

// The state and what is made of it go over tapes; both are made again. What
// makes the adjoint of the final state becomes the turn.
// CHECK-LABEL: func.func @two_tapes
// CHECK: %[[G:.*]] = linalg.fill
// CHECK: pebble.adjoint_loop %{{.*}} states(%arg0 : tensor<8xf32>) adjoints(%{{.*}}, %[[G]] : tensor<8xf32>, tensor<8xf32>) primal {
// CHECK-NEXT: ^bb0(%{{[a-z0-9]+}}: index, %[[S:[a-z0-9]+]]: tensor<8xf32>):
// CHECK-NEXT: %[[U:.*]] = arith.mulf %arg1, %[[S]]
// CHECK-NEXT: %[[N:.*]] = math.sin %[[U]]
// CHECK-NEXT: pebble.yield %[[N]]
// CHECK: turn {
// CHECK-NEXT: ^bb0(%[[F:[a-z0-9]+]]: tensor<8xf32>, %{{.*}}: tensor<8xf32>, %[[SUM:[a-z0-9]+]]: tensor<8xf32>):
// CHECK-NEXT: %[[A:.*]] = math.cos %[[F]]
// CHECK-NEXT: pebble.yield %[[A]], %[[SUM]]
// CHECK: adjoint {
// CHECK-NEXT: ^bb0(%{{[a-z0-9]+}}: index, %[[S:[a-z0-9]+]]: tensor<8xf32>,
// CHECK-NEXT: %[[U:.*]] = arith.mulf %arg1, %[[S]]
// CHECK-NEXT: math.cos %[[U]]
// CHECK-NOT: scf.for
// REMARK: remark: [Passed] raise | {{.*}}"raised from two loops with 2 reads of tapes between them"
func.func @two_tapes(%x: tensor<8xf32>, %w: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %n = arith.constant 50 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %t0 = tensor.empty() : tensor<50x8xf32>
  %f:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %ts = %t0, %tu = %t0) -> (tensor<8xf32>, tensor<50x8xf32>, tensor<50x8xf32>) {
    %ts1 = tensor.insert_slice %s into %ts[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<50x8xf32>
    %u = arith.mulf %w, %s : tensor<8xf32>
    %tu1 = tensor.insert_slice %u into %tu[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<50x8xf32>
    %next = math.sin %u : tensor<8xf32>
    scf.yield %next, %ts1, %tu1 : tensor<8xf32>, tensor<50x8xf32>, tensor<50x8xf32>
  }
  %a0 = math.cos %f#0 : tensor<8xf32>
  %g0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %last = arith.subi %n, %c1 : index
  %b:2 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %a0, %g = %g0) -> (tensor<8xf32>, tensor<8xf32>) {
    %k = arith.subi %last, %j : index
    %s = tensor.extract_slice %f#1[%k, 0] [1, 8] [1, 1] : tensor<50x8xf32> to tensor<8xf32>
    %u = tensor.extract_slice %f#2[%k, 0] [1, 8] [1, 1] : tensor<50x8xf32> to tensor<8xf32>
    %cos = math.cos %u : tensor<8xf32>
    %du = arith.mulf %cos, %a : tensor<8xf32>
    %da = arith.mulf %w, %du : tensor<8xf32>
    %dg = arith.mulf %s, %du : tensor<8xf32>
    %sum = arith.addf %g, %dg : tensor<8xf32>
    scf.yield %da, %sum : tensor<8xf32>, tensor<8xf32>
  }
  return %f#0, %b#0, %b#1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// A while that counts; its length is an argument, and may be negative.
// CHECK-LABEL: func.func @whiles
// CHECK: %[[N:.*]] = arith.index_cast %arg0 : i64 to index
// CHECK: %[[TRIPS:.*]] = arith.maxsi %[[N]], %c0
// CHECK: pebble.adjoint_loop %[[TRIPS]] states(%arg1 : f32) adjoints(%arg1 : f32) primal {
// CHECK-NOT: scf.while
// REMARK: remark: [Passed] raise
func.func @whiles(%n: i64, %x: f32, %t0: tensor<100xf32>) -> (f32, f32, i64) {
  %z = arith.constant 0 : i64
  %o = arith.constant 1 : i64
  %f:3 = scf.while (%i = %z, %s = %x, %t = %t0) : (i64, f32, tensor<100xf32>) -> (i64, f32, tensor<100xf32>) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %i, %s, %t : i64, f32, tensor<100xf32>
  } do {
  ^bb0(%i: i64, %s: f32, %t: tensor<100xf32>):
    %k = arith.index_cast %i : i64 to index
    %u = tensor.insert %s into %t[%k] : tensor<100xf32>
    %next = math.sin %s : f32
    %ii = arith.addi %i, %o : i64
    scf.yield %ii, %next, %u : i64, f32, tensor<100xf32>
  }
  %b:2 = scf.while (%i = %z, %a = %x) : (i64, f32) -> (i64, f32) {
    %more = arith.cmpi slt, %i, %f#0 : i64
    scf.condition(%more) %i, %a : i64, f32
  } do {
  ^bb0(%i: i64, %a: f32):
    %last = arith.subi %f#0, %o : i64
    %back = arith.subi %last, %i : i64
    %k = arith.index_cast %back : i64 to index
    %s = tensor.extract %f#2[%k] : tensor<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    %ii = arith.addi %i, %o : i64
    scf.yield %ii, %next : i64, f32
  }
  return %f#1, %b#1, %b#0 : f32, f32, i64
}

// -----

// The form in which JAX lowers the gradient of a scan: stacked residuals, and
// indices that might be negative.
// CHECK-LABEL: func.func @scan
// CHECK: pebble.adjoint_loop %c7 states(%arg0 : tensor<4xf32>) adjoints(%arg1 : tensor<4xf32>) primal {
// CHECK: "stablehlo.sine"
// CHECK: adjoint {
// CHECK: "stablehlo.reshape"
// CHECK: "stablehlo.cosine"
// CHECK-NOT: stablehlo.while
// REMARK: remark: [Passed] raise
func.func @scan(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %c1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %c7 = "stablehlo.constant"() {value = dense<7> : tensor<i32>} : () -> tensor<i32>
  %t0 = "stablehlo.constant"() {value = dense<0.0> : tensor<7x4xf32>} : () -> tensor<7x4xf32>
  %f:3 = "stablehlo.while"(%c0, %x, %t0) ({
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<7x4xf32>):
    %more = "stablehlo.compare"(%i, %c7) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<7x4xf32>):
    %r = "stablehlo.reshape"(%s) : (tensor<4xf32>) -> tensor<1x4xf32>
    %neg = "stablehlo.compare"(%i, %c0) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %wrapped = "stablehlo.add"(%i, %c7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %k = "stablehlo.select"(%neg, %wrapped, %i) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %u = "stablehlo.dynamic_update_slice"(%t, %r, %k, %c0) : (tensor<7x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<7x4xf32>
    %next = "stablehlo.sine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %ii = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%ii, %next, %u) : (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>)
  %b:3 = "stablehlo.while"(%f#2, %c0, %dy) ({
  ^bb0(%t: tensor<7x4xf32>, %i: tensor<i32>, %a: tensor<4xf32>):
    %more = "stablehlo.compare"(%i, %c7) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%t: tensor<7x4xf32>, %i: tensor<i32>, %a: tensor<4xf32>):
    %left = "stablehlo.subtract"(%c7, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %back = "stablehlo.subtract"(%left, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %neg = "stablehlo.compare"(%back, %c0) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %wrapped = "stablehlo.add"(%back, %c7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %k = "stablehlo.select"(%neg, %wrapped, %back) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %r = "stablehlo.dynamic_slice"(%t, %k, %c0) {slice_sizes = array<i64: 1, 4>} : (tensor<7x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %s = "stablehlo.reshape"(%r) : (tensor<1x4xf32>) -> tensor<4xf32>
    %cos = "stablehlo.cosine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %next = "stablehlo.multiply"(%a, %cos) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %ii = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%t, %ii, %next) : (tensor<7x4xf32>, tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<7x4xf32>, tensor<i32>, tensor<4xf32>) -> (tensor<7x4xf32>, tensor<i32>, tensor<4xf32>)
  return %f#1, %b#2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Caches, pushed on and popped from.
// CHECK-LABEL: func.func @cache
// CHECK-NOT: enzyme
// CHECK: pebble.adjoint_loop
// CHECK-NOT: enzyme
// REMARK: remark: [Passed] raise
func.func @cache(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cache = "enzyme.init"() : () -> !enzyme.Cache<f32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    "enzyme.push"(%cache, %s) : (!enzyme.Cache<f32>, f32) -> ()
    %next = math.sin %s : f32
    scf.yield %next : f32
  }
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f32 {
    %s = "enzyme.pop"(%cache) : (!enzyme.Cache<f32>) -> f32
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  return %dx : f32
}

// -----

// CHECK-LABEL: func.func @read_forward
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}}"not the adjoint of the loop that it reads from: a tape is not read in the reverse of the order in which it is written"
func.func @read_forward(%n: index, %x: f32, %t0: tensor<100xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0) -> (f32, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %next = math.sin %s : f32
    scf.yield %next, %u : f32, tensor<100xf32>
  }
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y#0) -> f32 {
    %s = tensor.extract %y#1[%i] : tensor<100xf32>
    %next = arith.mulf %a, %s : f32
    scf.yield %next : f32
  }
  return %dx : f32
}

// -----

// Each step overwrites a part of what the one before wrote.
// CHECK-LABEL: func.func @overlapping
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}} a tape is not read in the reverse
func.func @overlapping(%x: tensor<2xf32>, %t0: tensor<11xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %y:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %x, %t = %t0) -> (tensor<2xf32>, tensor<11xf32>) {
    %u = tensor.insert_slice %s into %t[%i] [2] [1] : tensor<2xf32> into tensor<11xf32>
    %next = math.sin %s : tensor<2xf32>
    scf.yield %next, %u : tensor<2xf32>, tensor<11xf32>
  }
  %dx = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %x) -> tensor<2xf32> {
    %k = arith.subi %c9, %i : index
    %s = tensor.extract_slice %y#1[%k] [2] [1] : tensor<11xf32> to tensor<2xf32>
    %next = arith.mulf %a, %s : tensor<2xf32>
    scf.yield %next : tensor<2xf32>
  }
  return %dx : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @other_length
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}} the two loops are not known to run equally often
func.func @other_length(%n: index, %m: index, %x: f32, %t0: tensor<100xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0) -> (f32, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %next = math.sin %s : f32
    scf.yield %next, %u : f32, tensor<100xf32>
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %m step %c1 iter_args(%a = %y#0) -> f32 {
    %k = arith.subi %last, %i : index
    %s = tensor.extract %y#1[%k] : tensor<100xf32>
    %next = arith.mulf %a, %s : f32
    scf.yield %next : f32
  }
  return %dx : f32
}

// -----

// What is returned is there anyway, and nothing else goes from loop to loop.
// CHECK-LABEL: func.func @tape_is_returned
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}} nothing goes over a tape from one to the other
func.func @tape_is_returned(%n: index, %x: f32, %t0: tensor<100xf32>) -> (f32, tensor<100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0) -> (f32, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %next = math.sin %s : f32
    scf.yield %next, %u : f32, tensor<100xf32>
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y#0) -> f32 {
    %k = arith.subi %last, %i : index
    %s = tensor.extract %y#1[%k] : tensor<100xf32>
    %next = arith.mulf %a, %s : f32
    scf.yield %next : f32
  }
  return %dx, %y#1 : f32, tensor<100xf32>
}

// -----

// CHECK-LABEL: func.func @effects
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}} 'memref.store' in it may have effects
func.func @effects(%n: index, %x: f32, %t0: tensor<100xf32>, %m: memref<f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0) -> (f32, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    memref.store %s, %m[] : memref<f32>
    %next = math.sin %s : f32
    scf.yield %next, %u : f32, tensor<100xf32>
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y#0) -> f32 {
    %k = arith.subi %last, %i : index
    %s = tensor.extract %y#1[%k] : tensor<100xf32>
    %next = arith.mulf %a, %s : f32
    scf.yield %next : f32
  }
  return %dx : f32
}

// -----

// Each step reads what is made of the final state: the turn makes it, and the
// steps of the adjoint hand it on.
// CHECK-LABEL: func.func @reads_the_end
// CHECK: pebble.adjoint_loop %{{.*}} states(%arg1 : f32) adjoints(%arg1, %{{.*}} : f32, f32) primal {
// CHECK: turn {
// CHECK-NEXT: ^bb0(%[[F:[a-z0-9]+]]: f32, %[[A:[a-z0-9]+]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[E:.*]] = math.exp %[[F]]
// CHECK-NEXT: pebble.yield %[[A]], %[[E]]
// CHECK: adjoint {
// CHECK-NEXT: ^bb0(%{{[a-z0-9]+}}: index, %[[S:[a-z0-9]+]]: f32, %[[A:[a-z0-9]+]]: f32, %[[E:[a-z0-9]+]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[S]]
// CHECK-NEXT: %[[N:.*]] = arith.mulf %[[P]], %[[E]]
// CHECK-NEXT: pebble.yield %[[N]], %[[E]]
// CHECK-NOT: math.exp
// REMARK: remark: [Passed] raise | {{.*}}"raised from two loops with 1 reads of tapes between them"
func.func @reads_the_end(%n: index, %x: f32, %t0: tensor<100xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0) -> (f32, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %next = math.sin %s : f32
    scf.yield %next, %u : f32, tensor<100xf32>
  }
  %end = math.exp %y#0 : f32
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {
    %k = arith.subi %last, %i : index
    %s = tensor.extract %y#1[%k] : tensor<100xf32>
    %1 = arith.mulf %a, %s : f32
    %next = arith.mulf %1, %end : f32
    scf.yield %next : f32
  }
  return %dx : f32
}

// -----

// As newer versions of JAX write it: what a step does is called. The empty tape
// goes with the loops.
// CHECK-LABEL: func.func @scan_that_calls
// CHECK-NOT: stablehlo.broadcast_in_dim
// CHECK: pebble.adjoint_loop %c7
// CHECK-NOT: call @
// CHECK: return
// REMARK: remark: [Passed] raise
func.func @scan_that_calls(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %z = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %t0 = "stablehlo.broadcast_in_dim"(%z) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<7x4xf32>
  %f:3 = "stablehlo.while"(%c0, %x, %t0) ({
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<7x4xf32>):
    %c7 = "stablehlo.constant"() {value = dense<7> : tensor<i32>} : () -> tensor<i32>
    %more = "stablehlo.compare"(%i, %c7) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>, %t: tensor<7x4xf32>):
    %next = func.call @step(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %u = func.call @put(%t, %s, %i) : (tensor<7x4xf32>, tensor<4xf32>, tensor<i32>) -> tensor<7x4xf32>
    %c1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %ii = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%ii, %next, %u) : (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>) -> ()
  }) : (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<7x4xf32>)
  %b:3 = "stablehlo.while"(%f#2, %c0, %dy) ({
  ^bb0(%t: tensor<7x4xf32>, %i: tensor<i32>, %a: tensor<4xf32>):
    %c7 = "stablehlo.constant"() {value = dense<7> : tensor<i32>} : () -> tensor<i32>
    %more = "stablehlo.compare"(%i, %c7) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%more) : (tensor<i1>) -> ()
  }, {
  ^bb0(%t: tensor<7x4xf32>, %i: tensor<i32>, %a: tensor<4xf32>):
    %c7 = "stablehlo.constant"() {value = dense<7> : tensor<i32>} : () -> tensor<i32>
    %c1 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %left = "stablehlo.subtract"(%c7, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %back = "stablehlo.subtract"(%left, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %s = func.call @get(%t, %back) : (tensor<7x4xf32>, tensor<i32>) -> tensor<4xf32>
    %cos = "stablehlo.cosine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %next = "stablehlo.multiply"(%a, %cos) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %ii = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%t, %ii, %next) : (tensor<7x4xf32>, tensor<i32>, tensor<4xf32>) -> ()
  }) : (tensor<7x4xf32>, tensor<i32>, tensor<4xf32>) -> (tensor<7x4xf32>, tensor<i32>, tensor<4xf32>)
  return %f#1, %b#2 : tensor<4xf32>, tensor<4xf32>
}
func.func private @step(%s: tensor<4xf32>) -> tensor<4xf32> {
  %next = "stablehlo.sine"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  return %next : tensor<4xf32>
}
func.func private @put(%t: tensor<7x4xf32>, %s: tensor<4xf32>, %i: tensor<i32>) -> tensor<7x4xf32> {
  %c0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r = "stablehlo.reshape"(%s) : (tensor<4xf32>) -> tensor<1x4xf32>
  %u = "stablehlo.dynamic_update_slice"(%t, %r, %i, %c0) : (tensor<7x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<7x4xf32>
  return %u : tensor<7x4xf32>
}
func.func private @get(%t: tensor<7x4xf32>, %i: tensor<i32>) -> tensor<4xf32> {
  %c0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %r = "stablehlo.dynamic_slice"(%t, %i, %c0) {slice_sizes = array<i64: 1, 4>} : (tensor<7x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %s = "stablehlo.reshape"(%r) : (tensor<1x4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}
