// RUN: pebble-opt %s --pebble-materialize-storage | FileCheck %s
// RUN: pebble-opt %s --pebble-materialize-storage > %t.once
// RUN: pebble-opt %t.once --pebble-materialize-storage | diff - %t.once

// Two ops that share one empty destination get one each.
// CHECK-LABEL: func @shared_empty_is_split
// CHECK: %[[A:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[A]]
// CHECK: %[[B:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
// CHECK-NEXT: linalg.log {{.*}} outs(%[[B]]
func.func @shared_empty_is_split(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.log ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// One zero fill that CSE shared among two products: each accumulates into its
// own.
// CHECK-LABEL: func @shared_fill_is_split
// CHECK-COUNT-2: linalg.fill
// CHECK-NOT: linalg.fill
func.func @shared_fill_is_split(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.matmul ins(%a, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
}

// What holds nothing is not copied from outside of a loop: each round has its own.
// CHECK-LABEL: func @empty_from_outside_a_loop
// CHECK-NOT: tensor.empty
// CHECK: scf.for
// CHECK-COUNT-2: bufferization.alloc_tensor() : tensor<8xf32>
// CHECK-NOT: bufferization.alloc_tensor()
func.func @empty_from_outside_a_loop(%x: tensor<4xf32>, %n: index, %g0: tensor<8xf32> {pebble.donated}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%g = %g0) -> tensor<8xf32> {
    %a0 = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %a = tensor.insert_slice %x into %a0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %b0 = tensor.insert_slice %x into %e[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %b = tensor.insert_slice %x into %b0[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %g1 = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%g : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %g1 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A donated argument is overwritten; nothing is copied.
// CHECK-LABEL: func @donated_is_overwritten
// CHECK-SAME: bufferization.writable = true
// CHECK-SAME: pebble.donated
// CHECK-NOT: alloc_tensor
// CHECK: tensor.insert_slice %{{.*}} into %arg0
func.func @donated_is_overwritten(%d: tensor<8xf32> {bufferization.writable = true}, %s: tensor<2xf32>) -> tensor<8xf32> {
  %r = tensor.insert_slice %s into %d[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// An argument that the caller keeps is copied first, and marked.
// CHECK-LABEL: func @kept_argument_is_copied
// CHECK-SAME: bufferization.writable = false
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%arg0)
// CHECK: tensor.insert_slice %{{.*}} into %[[C]]
func.func @kept_argument_is_copied(%d: tensor<8xf32>, %s: tensor<2xf32>) -> tensor<8xf32> {
  %r = tensor.insert_slice %s into %d[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// A later reader of the old content forbids writing in place; a view counts.
// CHECK-LABEL: func @view_read_later_forces_copy
// CHECK: bufferization.alloc_tensor() copy(%arg0)
func.func @view_read_later_forces_copy(%d: tensor<8xf32> {pebble.donated}, %s: tensor<2xf32>) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %v = tensor.extract_slice %d[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = tensor.insert_slice %s into %d[0] [2] [1] : tensor<2xf32> into tensor<8xf32>
  %x = tensor.extract %v[%c0] : tensor<4xf32>
  return %r, %x : tensor<8xf32>, f32
}

// A shifted update of a tensor by itself reads what it overwrites.
// CHECK-LABEL: func @shifted_self_update_is_copied
// CHECK: bufferization.alloc_tensor() copy(%arg0)
func.func @shifted_self_update_is_copied(%d: tensor<8xf32> {pebble.donated}) -> tensor<8xf32> {
  %v = tensor.extract_slice %d[0] [7] [1] : tensor<8xf32> to tensor<7xf32>
  %r = tensor.insert_slice %v into %d[1] [7] [1] : tensor<7xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// An elementwise op may read the very elements that it overwrites.
// CHECK-LABEL: func @elementwise_update_in_place
// CHECK-NOT: alloc_tensor
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 {{.*}} outs(%arg0
#id = affine_map<(i) -> (i)>
func.func @elementwise_update_in_place(%w: tensor<8xf32> {pebble.donated}, %g: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%w, %g : tensor<8xf32>, tensor<8xf32>) outs(%w : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// Reversed reading is not elementwise: the write would destroy what it still
// has to read.
// CHECK-LABEL: func @reversed_update_gets_its_own
// CHECK: %[[A:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
// CHECK: outs(%[[A]]
#rev = affine_map<(i) -> (7 - i)>
func.func @reversed_update_gets_its_own(%w: tensor<8xf32> {pebble.donated}) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [#rev, #id], iterator_types = ["parallel"]}
      ins(%w : tensor<8xf32>) outs(%w : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// Elementwise arith becomes linalg with a destination of its own.
// CHECK-LABEL: func @arith_gets_a_destination
// CHECK: %[[S:.*]] = bufferization.alloc_tensor()
// CHECK: %[[F:.*]] = linalg.fill {{.*}} outs(%[[S]]
// CHECK: %[[A:.*]] = bufferization.alloc_tensor()
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[F]] {{.*}} outs(%[[A]]
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
func.func @arith_gets_a_destination(%x: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %v = tensor.splat %s : tensor<8xf32>
  %y = arith.mulf %x, %v fastmath<contract> : tensor<8xf32>
  return %y : tensor<8xf32>
}

// What a loop yields is put back into the buffer that the next iteration reads,
// and a rotation saves before it writes.
// CHECK-LABEL: func @rotation_saves_before_it_writes
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[TB:.*]] = bufferization.alloc_tensor() copy(%[[B]])
// CHECK: %[[TA:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK: %[[NA:.*]] = linalg.copy ins(%[[TB]] {{.*}} outs(%[[A]]
// CHECK: %[[NB:.*]] = linalg.copy ins(%[[TA]] {{.*}} outs(%[[B]]
// CHECK: scf.yield %[[NA]], %[[NB]]
func.func @rotation_saves_before_it_writes(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %y, %x : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// A constant that a function returns is not its own: the caller gets a copy.
// CHECK-LABEL: func @returned_constant_is_copied
// CHECK: bufferization.alloc_tensor() copy
func.func @returned_constant_is_copied() -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %c : tensor<2xf32>
}

// Rows of a slice lie apart: they cannot be viewed as one row.
// CHECK-LABEL: func @collapsed_slice_is_copied
// CHECK: %[[V:.*]] = tensor.extract_slice
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[V]])
// CHECK: tensor.collapse_shape %[[C]]
func.func @collapsed_slice_is_copied(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %v = tensor.extract_slice %x[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  %c = tensor.collapse_shape %v [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  return %c : tensor<4xf32>
}

// A loop that runs and never looks at what it begins with needs a buffer and no
// copy; one that may not run hands out what it began with.
// CHECK-LABEL: func @state_that_is_only_written
// CHECK: %[[STATE:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[STATE]])
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%arg0)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]])
func.func @state_that_is_only_written(%x: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %x) -> tensor<8xf32> {
    %c = linalg.exp ins(%x : tensor<8xf32>) outs(%s : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %c : tensor<8xf32>
  }
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> tensor<8xf32> {
    %c = linalg.exp ins(%x : tensor<8xf32>) outs(%s : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %c : tensor<8xf32>
  }
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}
