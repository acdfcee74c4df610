// RUN: pebble-opt %s --pebble-print-storage -o /dev/null | FileCheck %s

// Views have no storage of their own; what is accessed through them is a part of
// their source's.

// CHECK-LABEL: storage of @slice_shares_its_source:
// CHECK-NEXT:   s0 argument %x: 256 bytes
// CHECK-NEXT:   s1 local %y: 64 bytes, outlives
// CHECK-NEXT:   step 0 math.exp %y: reads s0 (64 bytes), writes s1
func.func @slice_shares_its_source(%x: tensor<64xf32>) -> tensor<16xf32> {
  %s = tensor.extract_slice %x[16] [16] [1] : tensor<64xf32> to tensor<16xf32>
  %y = math.exp %s : tensor<16xf32>
  return %y : tensor<16xf32>
}

// CHECK-LABEL: storage of @reshapes_and_casts_are_views:
// CHECK-NEXT:   s0 argument %x: 256 bytes
// CHECK-NEXT:   s1 local %y: 256 bytes, outlives
// CHECK-NEXT:   step 0 math.exp %y: reads s0, writes s1
func.func @reshapes_and_casts_are_views(%x: tensor<4x16xf32>) -> tensor<64xf32> {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<4x16xf32> into tensor<64xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  %y = math.exp %e : tensor<8x8xf32>
  %z = tensor.collapse_shape %y [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  return %z : tensor<64xf32>
}

// The rows of the slice lie apart: a collapsed view cannot be laid over them.
// CHECK-LABEL: storage of @collapse_of_a_column_slice_copies:
// CHECK-NEXT:   s0 argument %x: 512 bytes
// CHECK-NEXT:   s1 local %c: 256 bytes
// CHECK-NEXT:   s2 local %y: 256 bytes, outlives
// CHECK-NEXT:   step 0 tensor.collapse_shape %c: reads s0 (256 bytes), writes s1
// CHECK-NEXT:   step 1 math.exp %y: reads s1, writes s2
func.func @collapse_of_a_column_slice_copies(%x: tensor<8x16xf32>) -> tensor<64xf32> {
  %s = tensor.extract_slice %x[0, 0] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
  %c = tensor.collapse_shape %s [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  %y = math.exp %c : tensor<64xf32>
  return %y : tensor<64xf32>
}

// CHECK-LABEL: storage of @subview_writes_its_source:
// CHECK-NEXT:   s0 argument %m: 256 bytes
// CHECK-NEXT:   step 0 linalg.fill at views.mlir:[[@LINE+3]]: writes s0 (64 bytes)
func.func @subview_writes_its_source(%m: memref<64xf32>, %v: f32) {
  %s = memref.subview %m[0] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1]>>
  linalg.fill ins(%v : f32) outs(%s : memref<16xf32, strided<[1]>>)
  return
}

// A view of unknown size is no larger than its source; no bound is needed.
// CHECK-LABEL: storage of @dynamic_subview_is_bounded_by_its_source:
// CHECK-NEXT:   s0 argument %m: 256 bytes
// CHECK-NEXT:   step 0 linalg.fill at views.mlir:[[@LINE+5]]: writes s0
// CHECK-NEXT:   step 1 print: reads s0, writes s0
// CHECK-NEXT:     barrier: 'func.call' calls a function whose effects are not known
func.func @dynamic_subview_is_bounded_by_its_source(%m: memref<64xf32>, %v: f32, %n: index) {
  %s = memref.subview %m[0] [%n] [1] : memref<64xf32> to memref<?xf32, strided<[1]>>
  linalg.fill ins(%v : f32) outs(%s : memref<?xf32, strided<[1]>>)
  %u = memref.cast %m : memref<64xf32> to memref<*xf32>
  func.call @print(%u) : (memref<*xf32>) -> ()
  return
}

func.func private @print(memref<*xf32>)

// The source is read, through the view, after its own last use by name.
// CHECK-LABEL: storage of @view_keeps_its_source_alive:
// CHECK-NEXT:   s0 argument %x: 256 bytes
// CHECK-NEXT:   s1 local %a: 256 bytes
// CHECK-NEXT:   s2 local %b: 256 bytes, outlives
// CHECK-NEXT:   s3 local %t: 64 bytes
// CHECK-NEXT:   step 0 math.exp %a: reads s0, writes s1
// CHECK-NEXT:   step 1 math.exp %b: reads s0, writes s2
// CHECK-NEXT:   step 2 math.exp %t: reads s1 (64 bytes), writes s3
// CHECK-NEXT:   step 3 tensor.insert_slice %c: reads s3, writes s2 (64 bytes)
// CHECK-NEXT:     result 0 overwrites operand 1
func.func @view_keeps_its_source_alive(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = math.exp %x : tensor<64xf32>
  %s = tensor.extract_slice %a[0] [16] [1] : tensor<64xf32> to tensor<16xf32>
  %b = math.exp %x : tensor<64xf32>
  %t = math.exp %s : tensor<16xf32>
  %c = tensor.insert_slice %t into %b[0] [16] [1] : tensor<16xf32> into tensor<64xf32>
  return %c : tensor<64xf32>
}

// CHECK-LABEL: storage of @reinterpret_cast_is_a_view:
// CHECK-NEXT:   s0 argument %m: 64 bytes
// CHECK-NEXT:   step 0 memref.store {{.*}}: writes s0 (4 bytes)
// CHECK-NEXT:   step 1 memref.load %x: reads s0 (4 bytes)
func.func @reinterpret_cast_is_a_view(%m: memref<16xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = memref.reinterpret_cast %m to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<16xf32> to memref<4x4xf32>
  memref.store %v, %r[%c0, %c0] : memref<4x4xf32>
  %x = memref.load %m[%c0] : memref<16xf32>
  return %x : f32
}
