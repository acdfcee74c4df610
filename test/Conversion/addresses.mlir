// Offsets go all the way down, to the runtime's calls.
// RUN: pebble-opt %s --pebble-bufferize | FileCheck %s --check-prefix=BUFFERS
// RUN: pebble-opt %s --pebble-bufferize --pebble-place-frees --pebble-lower-tiers | FileCheck %s --check-prefix=TIERS
// RUN: pebble-opt %s --pebble-to-llvm | FileCheck %s --check-prefix=LLVM
// RUN: pebble-run %s --json=%t.json
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"l1", kind = cache, capacity = 1024>, <"red", kind = explicit>, <"blue", kind = explicit>]>} {
  // BUFFERS-LABEL: func @main
  // BUFFERS-SAME: memref<16xf32> {pebble.offset = 64 : i64}
  // BUFFERS-SAME: pebble.extent = {blue = 128 : i64, red = 256 : i64}
  // BUFFERS: memref.alloc() {pebble.offset = 192 : i64} : memref<16xf32>{{$}}
  // BUFFERS: memref.alloc() {pebble.offset = 64 : i64} : memref<16xf32, #pebble.at<"blue">>{{$}}
  // BUFFERS: pebble.store %{{[^{]*}} : memref
  // BUFFERS-NOT: fused

  // TIERS-LABEL: func @main
  // TIERS-NOT: pebble.
  // TIERS: %[[X:.*]] = memref.extract_aligned_pointer_as_index %arg0
  // TIERS: call @pebble_rt_expect_at(%{{.*}}, %{{.*}}, %[[X]]) : (i32, i64, index) -> ()
  // TIERS: call @pebble_rt_enter
  // TIERS: call @pebble_rt_enter
  // TIERS: memref.alloc() {pebble_offset = 192 : i64, pebble_tier = 1 : i32}
  // TIERS: memref.alloc() {pebble_offset = 64 : i64, pebble_tier = 2 : i32{{.*}}}
  // TIERS: call @pebble_rt_leave
  // TIERS: call @pebble_rt_leave
  // TIERS-NEXT: return

  // LLVM-LABEL: llvm.func @main
  // LLVM: llvm.call @pebble_rt_expect_at
  // LLVM: %[[TIER:.*]] = llvm.mlir.constant(1 : i32) : i32
  // LLVM: %[[OFFSET:.*]] = llvm.mlir.constant(192 : i64) : i64
  // LLVM: llvm.call @pebble_rt_alloc_at(%[[TIER]], %[[OFFSET]], %{{.*}}) : (i32, i64, i64) -> !llvm.ptr
  // LLVM-NOT: @pebble_rt_alloc(
  // LLVM: llvm.return

  // The placements that are made, not those that would do.
  // REPORT: "peak_bytes": {
  // REPORT-NEXT: "red": 192,
  // REPORT-NEXT: "blue": 64
  // REPORT: "extent_bytes": {
  // REPORT-NEXT: "red": 256,
  // REPORT-NEXT: "blue": 128
  // REPORT: "predicted_extent_bytes": {
  // REPORT-NEXT: "red": 256,
  // REPORT-NEXT: "blue": 128
  func.func @main(%x: tensor<16xf32> {pebble.offset = 64 : i64, bufferization.writable = false})
      -> (tensor<16xf32>, tensor<16xf32, #pebble.at<"blue">>)
      attributes {pebble.extent = {blue = 128 : i64, red = 256 : i64}} {
    %d = bufferization.alloc_tensor() {pebble.offset = 192 : i64} : tensor<16xf32>
    %a = linalg.exp ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
    %copy, %t = pebble.store %a {pebble.offset = 64 : i64} : tensor<16xf32> -> tensor<16xf32, #pebble.at<"blue">>
    %away = pebble.wait %t for %copy : tensor<16xf32, #pebble.at<"blue">>
    %e = bufferization.alloc_tensor() {pebble.offset = 0 : i64} : tensor<16xf32>
    %b = linalg.abs ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    return %b, %away : tensor<16xf32>, tensor<16xf32, #pebble.at<"blue">>
  }
}
