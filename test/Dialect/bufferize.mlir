// RUN: pebble-opt %s --one-shot-bufferize="bufferize-function-boundaries use-encoding-for-memory-space function-boundary-type-conversion=identity-layout-map" | FileCheck %s
// RUN: pebble-opt %s --one-shot-bufferize="bufferize-function-boundaries use-encoding-for-memory-space function-boundary-type-conversion=identity-layout-map" --cse --canonicalize | pebble-opt | FileCheck %s --check-prefix=AFTER

!away = tensor<8xf32, #pebble.at<"host">>

// Moves bufferize where they stand: allocation, start, wait and drop keep their
// order among the other ops.
// CHECK-LABEL: func @moves_stay_where_they_stand(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32> {pebble.donated}, %[[D:.*]]: memref<8xf32>) -> memref<8xf32>
// CHECK-NEXT:    "any.before"
// CHECK-NEXT:    %[[AWAY:.*]] = memref.alloc() {{.*}} : memref<8xf32, #pebble.at<"host">>
// CHECK-NEXT:    %[[T:.*]] = pebble.store %[[X]] into %[[AWAY]] {some.note} : memref<8xf32> -> memref<8xf32, #pebble.at<"host">>
// CHECK-NEXT:    "any.during"
// CHECK-NEXT:    pebble.wait %[[T]]
// CHECK-NEXT:    pebble.drop %[[X]] : memref<8xf32>
// CHECK-NEXT:    "any.between"
// CHECK-NEXT:    %[[BACK:.*]] = memref.alloc() {{.*}} : memref<8xf32>
// CHECK-NEXT:    %[[U:.*]] = pebble.load %[[AWAY]] into %[[BACK]] : memref<8xf32, #pebble.at<"host">> -> memref<8xf32>
// CHECK-NEXT:    pebble.wait %[[U]]
// CHECK-NEXT:    pebble.drop %[[AWAY]] : memref<8xf32, #pebble.at<"host">>
// CHECK-NEXT:    linalg.exp ins(%[[BACK]] : memref<8xf32>) outs(%[[D]] : memref<8xf32>)
// CHECK-NEXT:    pebble.drop %[[BACK]] : memref<8xf32>
// CHECK-NEXT:    return %[[D]] : memref<8xf32>

// Neither a copy nor an allocation is added, or lost, by what comes after.
// AFTER-LABEL: func @moves_stay_where_they_stand(
// AFTER-COUNT-2: memref.alloc()
// AFTER-NOT:     memref.copy
// AFTER:         pebble.drop %{{.*}} : memref<8xf32>
// AFTER-NEXT:    return
func.func @moves_stay_where_they_stand(%x: tensor<8xf32> {pebble.donated}, %d: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32> {
  "any.before"() : () -> ()
  %copy, %t = pebble.store %x {some.note} : tensor<8xf32> -> !away
  "any.during"() : () -> ()
  %away = pebble.wait %t for %copy : !away
  pebble.drop %x : tensor<8xf32>
  "any.between"() : () -> ()
  %back, %u = pebble.load %away : !away -> tensor<8xf32>
  %y = pebble.wait %u for %back : tensor<8xf32>
  pebble.drop %away : !away
  %z = linalg.exp ins(%y : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  pebble.drop %y : tensor<8xf32>
  return %z : tensor<8xf32>
}

// CHECK-LABEL: func @a_destination_is_reused(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[SLOT:.*]]: memref<8xf32, #pebble.at<"host">>)
// CHECK-NOT:     memref.alloc
// CHECK:         pebble.store %[[X]] into %[[SLOT]]
// CHECK:         return %[[SLOT]]
func.func @a_destination_is_reused(%x: tensor<8xf32>, %slot: !away {bufferization.writable = true}) -> !away {
  %copy, %t = pebble.store %x into %slot : tensor<8xf32> -> !away
  %away = pebble.wait %t for %copy : !away
  return %away : !away
}

// CHECK-LABEL: func @sizes_come_from_the_source(
// CHECK-SAME:    %[[X:.*]]: memref<?x4xf32>)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[N:.*]] = memref.dim %[[X]], %[[C0]]
// CHECK:         memref.alloc(%[[N]]) {{.*}} : memref<?x4xf32, #pebble.at<"host">>
func.func @sizes_come_from_the_source(%x: tensor<?x4xf32>) -> tensor<?x4xf32, #pebble.at<"host">> {
  %copy, %t = pebble.store %x : tensor<?x4xf32> -> tensor<?x4xf32, #pebble.at<"host">>
  %away = pebble.wait %t for %copy : tensor<?x4xf32, #pebble.at<"host">>
  return %away : tensor<?x4xf32, #pebble.at<"host">>
}

// The identity is the same buffer, and stands until somebody folds it.
// CHECK-LABEL: func @opaque_costs_no_copy(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[D:.*]]: memref<8xf32>)
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         %[[IN:.*]] = pebble.opaque %[[X]] : memref<8xf32>
// CHECK:         %[[OUT:.*]] = pebble.opaque %[[D]] : memref<8xf32>
// CHECK:         linalg.exp ins(%[[IN]] : memref<8xf32>) outs(%[[OUT]] : memref<8xf32>)
func.func @opaque_costs_no_copy(%x: tensor<8xf32>, %d: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32> {
  %in = pebble.opaque %x : tensor<8xf32>
  %out = pebble.opaque %d : tensor<8xf32>
  %y = linalg.exp ins(%in : tensor<8xf32>) outs(%out : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// A drop counts as a read: what would overwrite the storage beforehand is given
// one of its own, instead of losing its result to the drop.
// CHECK-LABEL: func @a_drop_keeps_its_storage_from_being_overwritten(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>
// CHECK:         %[[OWN:.*]] = memref.alloc
// CHECK:         linalg.exp ins(%[[X]] : memref<8xf32>) outs(%[[OWN]] : memref<8xf32>)
// CHECK:         pebble.drop %[[X]]
// CHECK:         return %[[OWN]]
func.func @a_drop_keeps_its_storage_from_being_overwritten(%x: tensor<8xf32> {pebble.donated, bufferization.writable = true}) -> tensor<8xf32> {
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  pebble.drop %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
