// RUN: pebble-opt --pebble-decompose --split-input-file %s | FileCheck %s
// RUN: pebble-opt --pebble-decompose --split-input-file %s > %t.once
// RUN: pebble-opt --pebble-decompose --split-input-file %t.once | diff %t.once -

// CHECK-LABEL: @pad_fills_and_inserts
func.func @pad_fills_and_inserts(%x: tensor<4xf32>, %zero: f32) -> tensor<7xf32> {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<7xf32>
  // CHECK: %[[F:.*]] = linalg.fill {{.*}} outs(%[[E]]
  // CHECK: tensor.insert_slice %{{.*}} into %[[F]][1] [4] [1]
  // CHECK-NOT: tensor.pad
  %y = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %y : tensor<7xf32>
}

// -----

// CHECK-LABEL: @generate_becomes_structured
func.func @generate_becomes_structured() -> tensor<7xindex> {
  // CHECK: tensor.empty
  // CHECK: linalg.generic
  // CHECK: linalg.index
  %y = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<7xindex>
  return %y : tensor<7xindex>
}

// -----

// CHECK-LABEL: @elements_are_inserted
func.func @elements_are_inserted(%a: f32, %b: f32) -> tensor<2xf32> {
  // CHECK: tensor.empty
  // CHECK: tensor.insert
  // CHECK: tensor.insert
  %y = tensor.from_elements %a, %b : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: @concatenation_inserts_slices
func.func @concatenation_inserts_slices(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  // CHECK: tensor.empty
  // CHECK: tensor.insert_slice %{{.*}}[0] [2] [1]
  // CHECK: tensor.insert_slice %{{.*}}[2] [3] [1]
  %y = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

// A strided slice cannot be collapsed where it stands, a contiguous one can.
// CHECK-LABEL: @collapsed_slice_is_copied_where_it_must_be
func.func @collapsed_slice_is_copied_where_it_must_be(%x: tensor<4x6xf32>) -> (tensor<8xf32>, tensor<12xf32>) {
  // CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 0] [4, 2]
  // CHECK: %[[C:.*]] = linalg.copy ins(%[[S]]
  // CHECK: tensor.collapse_shape %[[C]]
  // CHECK-NOT: linalg.copy
  %s = tensor.extract_slice %x[0, 0] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %t = tensor.extract_slice %x[1, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
  %d = tensor.collapse_shape %t [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
  return %c, %d : tensor<8xf32>, tensor<12xf32>
}

// -----

// CHECK-LABEL: @softmax_becomes_structured
func.func @softmax_becomes_structured(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // CHECK-NOT: linalg.softmax
  // CHECK: linalg.generic
  %d = tensor.empty() : tensor<2x8xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<2x8xf32>) outs(%d : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// -----

// Each element is looked up: nothing but the source and the destination is there.
// CHECK-LABEL: @pack_looks_up
// CHECK-SAME: %[[X:.*]]: tensor<5xf32>, %[[PAD:.*]]: f32, %[[D:.*]]: tensor<3x2xf32>
func.func @pack_looks_up(%x: tensor<5xf32>, %pad: f32, %d: tensor<3x2xf32>) -> tensor<3x2xf32> {
  // CHECK-NOT: tensor.empty
  // CHECK: linalg.generic {{.*}} outs(%[[D]] : tensor<3x2xf32>) {
  // CHECK: %[[V:.*]] = tensor.extract %[[X]]
  // CHECK: %[[R:.*]] = arith.select %{{.*}}, %[[V]], %[[PAD]]
  // CHECK: linalg.yield %[[R]]
  %p = linalg.pack %x padding_value(%pad : f32) inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<5xf32> -> tensor<3x2xf32>
  return %p : tensor<3x2xf32>
}

// -----

// CHECK-LABEL: @unpack_looks_up
// CHECK-SAME: %[[X:.*]]: tensor<3x?xf32>, %[[N:.*]]: index, %[[D:.*]]: tensor<5xf32>
func.func @unpack_looks_up(%x: tensor<3x?xf32>, %n: index, %d: tensor<5xf32>) -> tensor<5xf32> {
  // CHECK: linalg.generic {{.*}} outs(%[[D]] : tensor<5xf32>) {
  // CHECK-DAG: %[[INNER:.*]] = arith.remui %{{.*}}, %[[N]]
  // CHECK-DAG: %[[OUTER:.*]] = arith.divui %{{.*}}, %[[N]]
  // CHECK: tensor.extract %[[X]][%[[OUTER]], %[[INNER]]]
  %u = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [%n] into %d : tensor<3x?xf32> -> tensor<5xf32>
  return %u : tensor<5xf32>
}

// -----

// CHECK-LABEL: @winograd_becomes_loops
func.func @winograd_becomes_loops(%f: tensor<2x3x3x2xf32>, %d: tensor<6x6x2x2xf32>) -> tensor<6x6x2x2xf32> {
  // CHECK-NOT: linalg.winograd
  // CHECK: scf.for
  // CHECK: linalg.matmul
  %t = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x2xf32>) outs(%d : tensor<6x6x2x2xf32>) -> tensor<6x6x2x2xf32>
  return %t : tensor<6x6x2x2xf32>
}

// -----

// The smaller of both sizes is copied.
// CHECK-LABEL: @realloc_allocates_and_copies
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[N:.*]]: index
func.func @realloc_allocates_and_copies(%a: memref<4xf32>, %n: index) -> memref<?xf32> {
  // CHECK: %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<6xf32>
  // CHECK: %[[V:.*]] = memref.subview %[[B]][0] [4] [1]
  // CHECK: memref.copy %[[A]], %[[V]]
  %b = memref.realloc %a {alignment = 64} : memref<4xf32> to memref<6xf32>
  // CHECK: %[[C:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
  // CHECK: %[[LESS:.*]] = arith.minui
  // CHECK: %[[FROM:.*]] = memref.subview %[[B]][0] [%[[LESS]]] [1]
  // CHECK: %[[TO:.*]] = memref.subview %[[C]][0] [%[[LESS]]] [1]
  // CHECK: memref.copy %[[FROM]], %[[TO]]
  // CHECK: return %[[C]]
  %c = memref.realloc %b(%n) : memref<6xf32> to memref<?xf32>
  return %c : memref<?xf32>
}

// -----

// CHECK-LABEL: @clone_allocates_and_copies
// CHECK-SAME: %[[A:.*]]: memref<?x4xf32, strided<[?, ?], offset: ?>>
func.func @clone_allocates_and_copies(%a: memref<?x4xf32, strided<[?, ?], offset: ?>>) -> memref<?x4xf32, strided<[?, ?], offset: ?>> {
  // CHECK: %[[N:.*]] = memref.dim %[[A]]
  // CHECK: %[[B:.*]] = memref.alloc(%[[N]]) : memref<?x4xf32>
  // CHECK: memref.copy %[[A]], %[[B]]
  // CHECK: memref.cast %[[B]]
  %b = bufferization.clone %a : memref<?x4xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  return %b : memref<?x4xf32, strided<[?, ?], offset: ?>>
}

// -----

// CHECK-LABEL: @a_body_runs_where_it_stands
// CHECK-SAME: %[[A:.*]]: f32
func.func @a_body_runs_where_it_stands(%a: f32) -> f32 {
  // CHECK-NOT: async
  // CHECK: %[[B:.*]] = arith.addf %[[A]], %[[A]]
  // CHECK-NEXT: %[[C:.*]] = arith.mulf %[[B]], %[[A]]
  // CHECK-NEXT: return %[[C]]
  %t, %v = async.execute -> !async.value<f32> {
    %b = arith.addf %a, %a : f32
    async.yield %b : f32
  }
  %t2, %w = async.execute [%t] (%v as %u: !async.value<f32>) -> !async.value<f32> {
    %c = arith.mulf %u, %a : f32
    async.yield %c : f32
  }
  %r = async.await %w : !async.value<f32>
  return %r : f32
}

// -----

// Who waits in one body for a group of another may wait for what stands behind.
// CHECK-LABEL: @a_body_that_waits_for_later_ones_stays
func.func @a_body_that_waits_for_later_ones_stays(%m: memref<1xf32>, %a: f32) {
  // CHECK-COUNT-2: async.execute
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %group = async.create_group %one : !async.group
  %t = async.execute {
    async.await_all %group
    memref.store %a, %m[%zero] : memref<1xf32>
    async.yield
  }
  %t2 = async.execute {
    async.yield
  }
  %rank = async.add_to_group %t2, %group : !async.token
  async.await %t : !async.token
  return
}

// -----

// Frees are placed by what owns the buffers. What is asked is still answered.
// CHECK-LABEL: @frees_that_ask_a_flag_go
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %[[C:.*]]: i1
func.func @frees_that_ask_a_flag_go(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> i1 {
  // CHECK-NOT: bufferization.dealloc
  // CHECK: %[[SAME:.*]] = pebble.same_buffer %[[A]], %[[B]]
  // CHECK: %[[ONE:.*]] = arith.andi %[[C]], %[[SAME]]
  // CHECK: %[[EITHER:.*]] = arith.ori %[[ONE]], %[[C]]
  // CHECK: return %[[EITHER]]
  %owned = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%c, %c) retain (%b : memref<4xf32>)
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  return %owned : i1
}
