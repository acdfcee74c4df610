// Rule D44: offsets that are no longer, or never were, those of the program.
// RUN: pebble-opt %s --pebble-verify-addresses --split-input-file --verify-diagnostics
// RUN: pebble-opt %s --pebble-verify-schedule --split-input-file --verify-diagnostics
// The way down asks the same.
// RUN: pebble-opt %s --pebble-to-llvm --split-input-file --verify-diagnostics

func.func @they_hold(%x: tensor<16xf32> {pebble.offset = 64 : i64}) -> tensor<16xf32>
    attributes {pebble.extent = {default = 192 : i64}} {
  %d = bufferization.alloc_tensor() {pebble.offset = 128 : i64} : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  %e = bufferization.alloc_tensor() {pebble.offset = 0 : i64} : tensor<16xf32>
  %z = linalg.abs ins(%y : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %z : tensor<16xf32>
}

// -----

func.func @d44_buffers_overlap(%x: tensor<16xf32> {pebble.offset = 64 : i64}) -> tensor<32xf32>
    attributes {pebble.extent = {default = 256 : i64}} {
  // expected-note@+1 {{which has 64 bytes at offset 128}}
  %d = bufferization.alloc_tensor() {pebble.offset = 128 : i64} : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  // expected-error@+1 {{[D44] a buffer of 128 bytes at offset 128 of tier 'default' overlaps another one that is live at the same time}}
  %e = bufferization.alloc_tensor() {pebble.offset = 128 : i64} : tensor<32xf32>
  %w = tensor.insert_slice %y into %e[0] [16] [1] : tensor<16xf32> into tensor<32xf32>
  return %w : tensor<32xf32>
}

// -----

// The argument is the caller's to the end.
// expected-note@+1 {{which has 64 bytes at offset 64}}
func.func @d44_argument_overlaps(%x: tensor<16xf32> {pebble.offset = 64 : i64}) -> tensor<16xf32>
    attributes {pebble.extent = {default = 192 : i64}} {
  %d = bufferization.alloc_tensor() {pebble.offset = 128 : i64} : tensor<16xf32>
  %y = linalg.abs ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
  // expected-error@+1 {{[D44] a buffer of 64 bytes at offset 64 of tier 'default' overlaps another one}}
  %e = bufferization.alloc_tensor() {pebble.offset = 64 : i64} : tensor<16xf32>
  %z = linalg.abs ins(%y : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %z : tensor<16xf32>
}

// -----

// Something new came in.
func.func @d44_without_an_offset(%x: memref<16xf32> {pebble.offset = 0 : i64}, %y: memref<16xf32> {pebble.offset = 64 : i64})
    attributes {pebble.extent = {default = 128 : i64}} {
  // expected-error@+1 {{[D44] a buffer without 'pebble.offset' in a function that has 'pebble.extent': something changed after addresses were planned; plan them again by pebble-plan-addresses}}
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}

// -----

// expected-error@+1 {{[D44] the function has 'pebble.extent', but the function has several blocks}}
func.func @d44_blocks(%x: memref<16xf32> {pebble.offset = 0 : i64})
    attributes {pebble.extent = {default = 64 : i64}} {
  cf.br ^next
^next:
  linalg.exp ins(%x : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

// -----

// While a copy is under way both of its sides are live.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit>, <"blue", kind = explicit>]>} {
  func.func @d44_transfers(%x: tensor<16xf32> {pebble.offset = 0 : i64})
      -> (tensor<16xf32>, tensor<16xf32, #pebble.at<"blue">>)
      attributes {pebble.extent = {blue = 64 : i64, red = 192 : i64}} {
    // expected-note@+1 {{which has 64 bytes at offset 64}}
    %d = bufferization.alloc_tensor() {pebble.offset = 64 : i64} : tensor<16xf32>
    %a = linalg.exp ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
    %copy, %t = pebble.store %a {pebble.offset = 0 : i64} : tensor<16xf32> -> tensor<16xf32, #pebble.at<"blue">>
    // expected-error@+1 {{[D44] a buffer of 64 bytes at offset 64 of tier 'red' overlaps another one}}
    %e = bufferization.alloc_tensor() {pebble.offset = 64 : i64} : tensor<16xf32>
    %b = linalg.abs ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    %away = pebble.wait %t for %copy : tensor<16xf32, #pebble.at<"blue">>
    return %b, %away : tensor<16xf32>, tensor<16xf32, #pebble.at<"blue">>
  }
}

// -----

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit>, <"blue", kind = explicit>]>} {
  func.func @after_the_wait_there_is_room(%x: tensor<16xf32> {pebble.offset = 0 : i64})
      -> (tensor<16xf32>, tensor<16xf32, #pebble.at<"blue">>)
      attributes {pebble.extent = {blue = 64 : i64, red = 192 : i64}} {
    %d = bufferization.alloc_tensor() {pebble.offset = 64 : i64} : tensor<16xf32>
    %a = linalg.exp ins(%x : tensor<16xf32>) outs(%d : tensor<16xf32>) -> tensor<16xf32>
    %copy, %t = pebble.store %a {pebble.offset = 0 : i64} : tensor<16xf32> -> tensor<16xf32, #pebble.at<"blue">>
    %away = pebble.wait %t for %copy : tensor<16xf32, #pebble.at<"blue">>
    %e = bufferization.alloc_tensor() {pebble.offset = 64 : i64} : tensor<16xf32>
    %b = linalg.abs ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    return %b, %away : tensor<16xf32>, tensor<16xf32, #pebble.at<"blue">>
  }
}
