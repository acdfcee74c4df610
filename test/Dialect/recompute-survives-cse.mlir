// RUN: pebble-opt %s --cse --canonicalize --cse | FileCheck %s
// RUN: pebble-opt %s --one-shot-bufferize="bufferize-function-boundaries use-encoding-for-memory-space" --cse --canonicalize --cse | FileCheck %s --check-prefix=BUFFER

// Without the identity CSE merges the two, which is why the identity exists.
// CHECK-LABEL: func @equal_ops_are_merged(
// CHECK-COUNT-1: tensor.splat
// CHECK-NOT:     tensor.splat
func.func @equal_ops_are_merged(%s: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = tensor.splat %s : tensor<8xf32>
  %b = tensor.splat %s : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func @a_splat_is_protected_by_its_scalar(
// CHECK-COUNT-2: tensor.splat
func.func @a_splat_is_protected_by_its_scalar(%s: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = tensor.splat %s : tensor<8xf32>
  %again = pebble.opaque %s : f32
  %b = tensor.splat %again : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// A splat of a constant folds to a constant unless the scalar is opaque.
// CHECK-LABEL: func @a_splat_of_a_constant_stays_a_splat(
// CHECK-NOT:     dense
// CHECK:         tensor.splat
// CHECK:         tensor.splat
func.func @a_splat_of_a_constant_stays_a_splat() -> (tensor<8xf32>, tensor<8xf32>) {
  %c = arith.constant 1.0 : f32
  %s = pebble.opaque %c : f32
  %a = tensor.splat %s : tensor<8xf32>
  %t = pebble.opaque %c : f32
  %b = tensor.splat %t : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL:   func @a_fill_is_protected_by_scalar_and_destination(
// CHECK-COUNT-2: linalg.fill
// CHECK:         return
// BUFFER-LABEL:  func @a_fill_is_protected_by_scalar_and_destination(
// BUFFER-COUNT-2: memref.alloc
// BUFFER-NOT:    memref.copy
// BUFFER:        return
func.func @a_fill_is_protected_by_scalar_and_destination() -> (tensor<8xf32>, tensor<8xf32>) {
  %c = arith.constant 1.0 : f32
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  %a = linalg.fill ins(%c : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %again = pebble.opaque %c : f32
  %f = bufferization.alloc_tensor() : tensor<8xf32>
  %g = pebble.opaque %f : tensor<8xf32>
  %b = linalg.fill ins(%again : f32) outs(%g : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// An op without operands takes its result through the identity.
// CHECK-LABEL: func @a_constant_is_protected_by_its_result(
// CHECK:         %[[C:.*]] = arith.constant dense
// CHECK:         %[[A:.*]] = pebble.opaque %[[C]]
// CHECK:         %[[B:.*]] = pebble.opaque %[[C]]
// CHECK:         return %[[A]], %[[B]]
func.func @a_constant_is_protected_by_its_result() -> (tensor<8xf32>, tensor<8xf32>) {
  %c = arith.constant dense<1.0> : tensor<8xf32>
  %a = pebble.opaque %c : tensor<8xf32>
  %d = arith.constant dense<1.0> : tensor<8xf32>
  %b = pebble.opaque %d : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL:   func @scalars_and_indices_too(
// CHECK:         arith.addi
// CHECK:         arith.mulf
// CHECK:         tensor.extract_slice
// CHECK:         arith.addi
// CHECK:         arith.mulf
// CHECK:         tensor.extract_slice
// CHECK:         return
func.func @scalars_and_indices_too(%i: index, %s: f32, %x: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>, f32, f32) {
  %c1 = arith.constant 1 : index
  %o = arith.addi %i, %c1 : index
  %m = arith.mulf %s, %s : f32
  %a = tensor.extract_slice %x[%o] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %i2 = pebble.opaque %i : index
  %o2 = arith.addi %i2, %c1 : index
  %s2 = pebble.opaque %s : f32
  %m2 = arith.mulf %s2, %s2 : f32
  %b = tensor.extract_slice %x[%o2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %a, %b, %m, %m2 : tensor<4xf32>, tensor<4xf32>, f32, f32
}

// The clone of an op in destination style: every operand goes through it. After
// bufferization there are still two, and two allocations and no copy.
// CHECK-LABEL:   func @an_elementwise_op(
// CHECK-COUNT-2: linalg.exp
// CHECK:         return
// BUFFER-LABEL:  func @an_elementwise_op(
// BUFFER:        memref.alloc
// BUFFER:        linalg.exp
// BUFFER:        memref.alloc
// BUFFER-NOT:    memref.alloc
// BUFFER-NOT:    memref.copy
// BUFFER:        linalg.exp
// BUFFER:        return
func.func @an_elementwise_op(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %d = bufferization.alloc_tensor() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %x2 = pebble.opaque %x : tensor<8xf32>
  %e = bufferization.alloc_tensor() : tensor<8xf32>
  %e2 = pebble.opaque %e : tensor<8xf32>
  %b = linalg.exp ins(%x2 : tensor<8xf32>) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// Two loads of one placed value are two storages.
// CHECK-LABEL:   func @two_loads_are_two_storages(
// CHECK-COUNT-2: pebble.load
// CHECK:         return
func.func @two_loads_are_two_storages(%away: tensor<8xf32, #pebble.at<"host">>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c, %t = pebble.load %away : tensor<8xf32, #pebble.at<"host">> -> tensor<8xf32>
  %x = pebble.wait %t for %c : tensor<8xf32>
  %d, %u = pebble.load %away : tensor<8xf32, #pebble.at<"host">> -> tensor<8xf32>
  %y = pebble.wait %u for %d : tensor<8xf32>
  return %x, %y : tensor<8xf32>, tensor<8xf32>
}

// A move whose result nobody reads still happens.
// CHECK-LABEL: func @unused_moves_stay(
// CHECK:         pebble.store
// CHECK:         pebble.wait
// CHECK:         pebble.drop
func.func @unused_moves_stay(%x: tensor<8xf32> {pebble.donated}) {
  %c, %t = pebble.store %x : tensor<8xf32> -> tensor<8xf32, #pebble.at<"host">>
  %y = pebble.wait %t for %c : tensor<8xf32, #pebble.at<"host">>
  pebble.drop %x : tensor<8xf32>
  return
}
