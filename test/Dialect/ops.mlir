// RUN: pebble-opt %s --verify-roundtrip | FileCheck %s
// RUN: pebble-opt %s --mlir-print-op-generic | pebble-opt | FileCheck %s
// RUN: pebble-opt %s --emit-bytecode | pebble-opt | FileCheck %s

!away = tensor<?x4xf32, #pebble.at<"host">>

// CHECK-LABEL: func @transfers_of_tensors_return_the_copy
func.func @transfers_of_tensors_return_the_copy(%x: tensor<?x4xf32> {pebble.donated}, %d: !away) -> tensor<?x4xf32> {
  // CHECK: %[[C:.*]], %[[T:.*]] = pebble.store %{{.*}} : tensor<?x4xf32> -> tensor<?x4xf32, #pebble.at<"host">>
  %copy, %t = pebble.store %x : tensor<?x4xf32> -> !away
  // CHECK: %[[A:.*]] = pebble.wait %[[T]] for %[[C]] : tensor<?x4xf32, #pebble.at<"host">>
  %away = pebble.wait %t for %copy : !away
  // CHECK: pebble.store %{{.*}} into %{{.*}} : tensor<?x4xf32> -> tensor<?x4xf32, #pebble.at<"host">>
  %copy2, %t2 = pebble.store %x into %d : tensor<?x4xf32> -> !away
  %away2 = pebble.wait %t2 for %copy2 : !away
  // CHECK: pebble.drop %{{.*}} : tensor<?x4xf32>
  pebble.drop %x : tensor<?x4xf32>
  // CHECK: pebble.load %[[A]] : tensor<?x4xf32, #pebble.at<"host">> -> tensor<?x4xf32>
  %back, %u = pebble.load %away : !away -> tensor<?x4xf32>
  %y = pebble.wait %u for %back : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: func @transfers_of_memrefs_return_a_token
func.func @transfers_of_memrefs_return_a_token(%x: memref<4xf32, strided<[2], offset: ?>>) {
  %away = memref.alloc() : memref<4xf32, #pebble.at<"host">>
  // CHECK: %[[T:.*]] = pebble.store %{{.*}} into %[[A:.*]] {note = "kept"} : memref<4xf32, strided<[2], offset: ?>> -> memref<4xf32, #pebble.at<"host">>
  // CHECK: pebble.wait %[[T]]{{$}}
  %t = pebble.store %x into %away {note = "kept"} : memref<4xf32, strided<[2], offset: ?>> -> memref<4xf32, #pebble.at<"host">>
  pebble.wait %t
  // CHECK: pebble.load %[[A]] into
  %u = pebble.load %away into %x : memref<4xf32, #pebble.at<"host">> -> memref<4xf32, strided<[2], offset: ?>>
  // CHECK: pebble.wait %{{.*}} {note = "kept"}
  pebble.wait %u {note = "kept"}
  // CHECK: pebble.drop %[[A]] : memref<4xf32, #pebble.at<"host">>
  pebble.drop %away : memref<4xf32, #pebble.at<"host">>
  return
}

// A tensor whose encoding is taken keeps its tier on the op.
// CHECK-LABEL: func @a_taken_encoding_leaves_the_tier_to_the_op
func.func @a_taken_encoding_leaves_the_tier_to_the_op(%x: tensor<4xf32, "taken">) -> tensor<4xf32, "taken"> {
  // CHECK: pebble.store %{{.*}} {pebble.tier = "host"} : tensor<4xf32, "taken"> -> tensor<4xf32, "taken">
  %copy, %t = pebble.store %x {pebble.tier = "host"} : tensor<4xf32, "taken"> -> tensor<4xf32, "taken">
  %away = pebble.wait %t for %copy : tensor<4xf32, "taken">
  %back, %u = pebble.load %away : tensor<4xf32, "taken"> -> tensor<4xf32, "taken">
  %y = pebble.wait %u for %back : tensor<4xf32, "taken">
  return %y : tensor<4xf32, "taken">
}

// CHECK-LABEL: func @opaque_takes_any_type
func.func @opaque_takes_any_type(%a: tensor<4xf32>, %b: f32, %c: index, %d: memref<4xf32>, %e: !any.type) {
  // CHECK: pebble.opaque %{{.*}} : tensor<4xf32>
  %0 = pebble.opaque %a : tensor<4xf32>
  // CHECK: pebble.opaque %{{.*}} : f32
  %1 = pebble.opaque %b : f32
  // CHECK: pebble.opaque %{{.*}} : index
  %2 = pebble.opaque %c : index
  // CHECK: pebble.opaque %{{.*}} : memref<4xf32>
  %3 = pebble.opaque %d : memref<4xf32>
  // CHECK: pebble.opaque %{{.*}} : !any.type
  %4 = pebble.opaque %e : !any.type
  return
}

// CHECK-LABEL: func @same_buffer_takes_any_memref
func.func @same_buffer_takes_any_memref(%a: memref<4xf32>, %b: memref<*xf32>) -> i1 {
  // CHECK: pebble.same_buffer %{{.*}}, %{{.*}} : memref<4xf32>, memref<*xf32>
  %0 = pebble.same_buffer %a, %b : memref<4xf32>, memref<*xf32>
  return %0 : i1
}
