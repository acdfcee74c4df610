// RUN: pebble-opt %s --pebble-target=red-blue --pebble-print-storage -o /dev/null | FileCheck %s

// Moves and identities share storages: a transfer into a destination takes its
// place, what a wait hands out is what is under way, an opaque value is its source.
// On tensors their values order them; on memrefs they keep their places.

// CHECK-LABEL: storage of @transfer_takes_its_destination:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 donated %d: 64 bytes, outlives, in blue
// CHECK-NEXT:   step 0 pebble.store %copy: reads s0, writes s1
// CHECK-NEXT:     result 0 overwrites operand 1
// CHECK-NEXT:   step 1 pebble.wait %away: holds s0, holds s1
func.func @transfer_takes_its_destination(%x: tensor<16xf32>, %d: tensor<16xf32, #pebble.at<"blue">> {pebble.donated}) -> tensor<16xf32, #pebble.at<"blue">> {
  %copy, %stored = pebble.store %x into %d : tensor<16xf32> -> tensor<16xf32, #pebble.at<"blue">>
  %away = pebble.wait %stored for %copy : tensor<16xf32, #pebble.at<"blue">>
  return %away : tensor<16xf32, #pebble.at<"blue">>
}

// CHECK-LABEL: storage of @wait_holds_both_ends:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 argument %d: 64 bytes, may be s0, in blue
// CHECK-NEXT:   step 0 pebble.store %t: reads s0, writes s1
// CHECK-NEXT:     barrier: 'pebble.store' is ordered by an asynchronous token
// CHECK-NEXT:   step 1 pebble.wait at moves.mlir:[[@LINE+4]]: holds s0, holds s1
// CHECK-NEXT:     barrier: 'pebble.wait' is ordered by an asynchronous token
func.func @wait_holds_both_ends(%x: memref<16xf32>, %d: memref<16xf32, #pebble.at<"blue">>) {
  %t = pebble.store %x into %d : memref<16xf32> -> memref<16xf32, #pebble.at<"blue">>
  pebble.wait %t
  return
}

// CHECK-LABEL: storage of @opaque_is_its_source_and_no_step:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes, outlives
// CHECK-NEXT:   s2 local %b: 64 bytes, outlives
// CHECK-NEXT:   step 0 tensor.splat %a: writes s1
// CHECK-NEXT:   step 1 math.exp %b: reads s0, writes s2
func.func @opaque_is_its_source_and_no_step(%s: f32, %x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %o = pebble.opaque %s : f32
  %y = pebble.opaque %x : tensor<16xf32>
  %a = tensor.splat %o : tensor<16xf32>
  %b = math.exp %y : tensor<16xf32>
  return %a, %b : tensor<16xf32>, tensor<16xf32>
}
