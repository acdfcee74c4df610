// RUN: pebble-opt %s --pebble-plan-addresses --split-input-file --remarks-filter=pebble-plan-addresses -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// Twice is once, and what comes out holds, whoever cleans it up.
// RUN: pebble-opt %t --pebble-plan-addresses --split-input-file | diff - %t
// RUN: pebble-opt %t -cse -canonicalize --pebble-verify-addresses --split-input-file -o /dev/null
// Limits are those of other searches, and end none of these.
// RUN: pebble-opt %s --pebble-plan-addresses="time-limit-ms=100000 memory-limit=64MB" --split-input-file | diff - %t
// RUN: not pebble-opt %s --pebble-plan-addresses=time-limit-ms=-1 -o /dev/null --split-input-file 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: 'time-limit-ms' takes a whole number from 0 to 9223372036854775807, got -1
// RUN: not pebble-opt %s --pebble-plan-addresses=memory-limit=much -o /dev/null --split-input-file 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: error: memory-limit is a number of bytes above 0

// Three chains of one length would do with two places; the argument has the
// third, for it is the caller's to the end.
// CHECK-LABEL: func @dead_buffers_make_room
// CHECK-SAME: %arg0: tensor<16xf32> {bufferization.writable = false, pebble.offset = [[X:[0-9]+]] : i64}
// CHECK-SAME: pebble.extent = {default = 192 : i64}
// CHECK: alloc_tensor() {pebble.offset = [[A:[0-9]+]] : i64}
// CHECK: alloc_tensor() {pebble.offset = [[B:[0-9]+]] : i64}
// CHECK: alloc_tensor() {pebble.offset = [[A]] : i64}
// REMARK: the buffers in tier 'default' take 192 bytes as one block, 192 are live at one time
func.func @dead_buffers_make_room(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.exp ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %c = linalg.exp ins(%b : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %c : tensor<16xf32>
}

// -----

// A donated argument makes room as well; what is written over it lies there.
// CHECK-LABEL: func @donated_arguments_make_room
// CHECK-SAME: pebble.extent = {default = 192 : i64}
// CHECK: alloc_tensor() {pebble.offset = {{[0-9]+}} : i64}
// CHECK-NOT: alloc_tensor
// CHECK: return
func.func @donated_arguments_make_room(%w: tensor<16xf32> {pebble.donated}, %g: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %s = linalg.exp ins(%g : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %new = linalg.sub ins(%w, %s : tensor<16xf32>, tensor<16xf32>) outs(%w : tensor<16xf32>) -> tensor<16xf32>
  return %new : tensor<16xf32>
}

// -----

// A copy under way has its place in both tiers, and each tier is a block.
// CHECK-LABEL: func @tiers_are_blocks_of_their_own
// CHECK-SAME: pebble.extent = {fast = 192 : i64, slow = 64 : i64}
// CHECK: pebble.store %{{.*}} {pebble.offset = 0 : i64} : tensor<16xf32> -> tensor<16xf32, #pebble.at<"slow">>
// CHECK: pebble.load %{{.*}} {pebble.offset = {{[0-9]+}} : i64}
// REMARK-DAG: the buffers in tier 'fast' take 192 bytes
// REMARK-DAG: the buffers in tier 'slow' take 64 bytes
module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"fast", kind = explicit, read = 1, write = 1>, <"slow", kind = explicit, read = 9, write = 9>]>} {
  func.func @tiers_are_blocks_of_their_own(%x: tensor<16xf32>) -> tensor<16xf32> {
    %e = tensor.empty() : tensor<16xf32>
    %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %copy, %stored = pebble.store %a : tensor<16xf32> -> tensor<16xf32, #pebble.at<"slow">>
    %away = pebble.wait %stored for %copy : tensor<16xf32, #pebble.at<"slow">>
    pebble.drop %a : tensor<16xf32>
    %b = linalg.abs ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %b2 = linalg.exp ins(%b : tensor<16xf32>) outs(%b : tensor<16xf32>) -> tensor<16xf32>
    %s = tensor.extract_slice %b2[0] [1] [1] : tensor<16xf32> to tensor<1xf32>
    %back, %loaded = pebble.load %away : tensor<16xf32, #pebble.at<"slow">> -> tensor<16xf32>
    %here = pebble.wait %loaded for %back : tensor<16xf32>
    %r = linalg.mul ins(%here, %b2 : tensor<16xf32>, tensor<16xf32>) outs(%b2 : tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// Memory that has a name of its own is placed too, on the stack or not.
// CHECK-LABEL: func @memrefs
// CHECK-SAME: %arg0: memref<16xf32> {pebble.offset = {{[0-9]+}} : i64}
// CHECK-SAME: pebble.extent = {default = 192 : i64}
// CHECK: memref.alloc() {pebble.offset = {{[0-9]+}} : i64}
// CHECK: memref.alloca() {pebble.offset = {{[0-9]+}} : i64}
func.func @memrefs(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloca() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%x : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// What is asked for its size is still there.
// CHECK-LABEL: func @whoever_asks_for_a_size_keeps
// CHECK-SAME: pebble.extent = {default = 256 : i64}
func.func @whoever_asks_for_a_size_keeps(%x: tensor<16xf32>) -> (tensor<16xf32>, index) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.exp ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %c = linalg.exp ins(%b : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %n = tensor.dim %a, %c0 : tensor<16xf32>
  return %c, %n : tensor<16xf32>, index
}

// -----

// What cannot be placed is named, and left as it is.
// REMARK: several-blocks.mlir:1:1: remark: {{.*}}addresses are not planned: the function has several blocks
// CHECK-LABEL: func @several_blocks
// CHECK-NOT: pebble.offset
// CHECK: return
func.func @several_blocks(%x: memref<16xf32>) {
  cf.br ^next
^next:
  linalg.exp ins(%x : memref<16xf32>) outs(%x : memref<16xf32>)
  return
} loc("several-blocks.mlir":1:1)

// -----

// REMARK: addresses are not planned: the size of a buffer depends on the data
// CHECK-LABEL: func @dynamic
// CHECK-NOT: pebble.offset
// CHECK: return
func.func @dynamic(%x: memref<?xf32>) {
  linalg.exp ins(%x : memref<?xf32>) outs(%x : memref<?xf32>)
  return
}

// -----

// REMARK: addresses are not planned: what the function calls here may allocate
// REMARK: addresses are not planned: other functions call the function
// CHECK-LABEL: func @caller
// CHECK-NOT: pebble.offset
// CHECK: func private @callee
// CHECK-NOT: pebble.offset
// CHECK: return
func.func @caller(%x: memref<16xf32>) {
  call @callee(%x) : (memref<16xf32>) -> ()
  return
}
func.func private @callee(%x: memref<16xf32>) {
  linalg.exp ins(%x : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

// -----

// REMARK: addresses are not planned: 'scf.for' allocates inside
// CHECK-LABEL: func @allocates_inside
// CHECK-NOT: pebble.offset
// CHECK: return
func.func @allocates_inside(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
    memref.dealloc %a : memref<16xf32>
  }
  return
}

// -----

// REMARK: addresses are not planned: the layout of a buffer leaves gaps
// CHECK-LABEL: func @gaps
func.func @gaps(%x: memref<4x4xf32, strided<[8, 1]>>) {
  linalg.exp ins(%x : memref<4x4xf32, strided<[8, 1]>>) outs(%x : memref<4x4xf32, strided<[8, 1]>>)
  return
}

// -----

// An operation of an unknown dialect with a region may hold names of its own, but
// nobody in it spells the function's: it is not for its callers that this one has
// no addresses.
// REMARK-NOT: other functions call the function
// REMARK: addresses are not planned: what is made here has no allocation of its own
// CHECK-LABEL: func @nobody_calls
func.func @nobody_calls(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "any.map"(%x) ({
  ^bb0(%v: tensor<f32>):
    "any.yield"(%v) : (tensor<f32>) -> ()
  }) : (tensor<16xf32>) -> tensor<16xf32>
  return %a : tensor<16xf32>
}

// -----

// Where its name is spelled, somebody may call it.
// REMARK: addresses are not planned: other functions call the function
// CHECK-LABEL: func @spelled_somewhere
func.func @spelled_somewhere(%x: memref<16xf32>) {
  linalg.exp ins(%x : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}
"any.map"() ({
  "any.call"() {callee = @spelled_somewhere} : () -> ()
}) : () -> ()
