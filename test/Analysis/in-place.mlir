// RUN: pebble-opt %s --pebble-print-storage -o /dev/null | FileCheck %s

// A result takes its destination's storage if nothing reads the old content later
// and the storage may be written.

// CHECK-LABEL: storage of @dead_destination_is_overwritten:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes, outlives
// CHECK-NEXT:   step 0 math.exp %a: reads s0, writes s1
// CHECK-NEXT:   step 1 linalg.add %b: reads s0, reads s0, writes s1
// CHECK-NEXT:     result 0 overwrites operand 2
func.func @dead_destination_is_overwritten(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = math.exp %x : tensor<16xf32>
  %b = linalg.add ins(%x, %x : tensor<16xf32>, tensor<16xf32>) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  return %b : tensor<16xf32>
}

// linalg.add does not read its destination, so nothing is copied.
// CHECK-LABEL: storage of @live_destination_is_not:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes, outlives
// CHECK-NEXT:   s2 local %b: 64 bytes, outlives
// CHECK-NEXT:   step 0 math.exp %a: reads s0, writes s1
// CHECK-NEXT:   step 1 linalg.add %b: reads s0, reads s0, writes s2
func.func @live_destination_is_not(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %a = math.exp %x : tensor<16xf32>
  %b = linalg.add ins(%x, %x : tensor<16xf32>, tensor<16xf32>) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  return %a, %b : tensor<16xf32>, tensor<16xf32>
}

// linalg.matmul reads its destination, and arguments belong to the caller.
// CHECK-LABEL: storage of @live_accumulator_is_copied:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 argument %acc: 64 bytes
// CHECK-NEXT:   s2 local %b: 64 bytes, outlives
// CHECK-NEXT:   step 0 linalg.matmul %b: reads s0, reads s0, reads s1, writes s2
// CHECK-NEXT:     result 0 copies operand 2
func.func @live_accumulator_is_copied(%x: tensor<4x4xf32>, %acc: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %b = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%acc : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

// CHECK-LABEL: storage of @donated_accumulator_is_overwritten:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 donated %acc: 64 bytes, outlives
// CHECK-NEXT:   step 0 linalg.matmul %b: reads s0, reads s0, reads s1, writes s1
// CHECK-NEXT:     result 0 overwrites operand 2
func.func @donated_accumulator_is_overwritten(%x: tensor<4x4xf32>, %acc: tensor<4x4xf32> {pebble.donated}) -> tensor<4x4xf32> {
  %b = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%acc : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

// CHECK-LABEL: storage of @writable_and_aliasing_arguments_are_donated:
// CHECK-NEXT:   s0 donated %a: 16 bytes
// CHECK-NEXT:   s1 donated %b: 16 bytes
// CHECK-NEXT:   s2 donated %c: 16 bytes
// CHECK-NEXT:   s3 argument %d: 16 bytes
func.func @writable_and_aliasing_arguments_are_donated(%a: tensor<4xf32> {bufferization.writable = true}, %b: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %c: tensor<4xf32> {jax.buffer_donor = true}, %d: tensor<4xf32> {bufferization.writable = false}) {
  return
}

// CSE makes programs share one destination; it holds nothing.
// CHECK-LABEL: storage of @shared_empty_gives_each_its_own:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes, outlives
// CHECK-NEXT:   s2 local %b: 64 bytes, outlives
// CHECK-NEXT:   step 0 linalg.exp %a: reads s0, writes s1
// CHECK-NEXT:   step 1 linalg.log %b: reads s0, writes s2
func.func @shared_empty_gives_each_its_own(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.log ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %a, %b : tensor<16xf32>, tensor<16xf32>
}

// CHECK-LABEL: storage of @chain_of_insertions_is_in_place:
// CHECK-NEXT:   s0 argument %x: 16 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes, outlives
// CHECK-NEXT:   step 0 tensor.insert_slice %a: reads s0, writes s1 (16 bytes)
// CHECK-NEXT:   step 1 tensor.insert_slice %b: reads s0, writes s1 (16 bytes)
// CHECK-NEXT:     result 0 overwrites operand 1
func.func @chain_of_insertions_is_in_place(%x: tensor<4xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %a = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %b = tensor.insert_slice %x into %a[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
  return %b : tensor<16xf32>
}

// It would overwrite what it has still to read.
// CHECK-LABEL: storage of @transposed_self_read_is_not_in_place:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes
// CHECK-NEXT:   s2 local %t: 64 bytes, outlives
// CHECK-NEXT:   step 0 math.exp %a: reads s0, writes s1
// CHECK-NEXT:   step 1 linalg.transpose %t: reads s1, writes s2
func.func @transposed_self_read_is_not_in_place(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = math.exp %x : tensor<4x4xf32>
  %t = linalg.transpose ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) permutation = [1, 0]
  return %t : tensor<4x4xf32>
}

// CHECK-LABEL: storage of @elementwise_self_read_is_in_place:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes, outlives
// CHECK-NEXT:   step 0 math.exp %a: reads s0, writes s1
// CHECK-NEXT:   step 1 linalg.log %t: reads s1, writes s1
// CHECK-NEXT:     result 0 overwrites operand 1
func.func @elementwise_self_read_is_in_place(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = math.exp %x : tensor<4x4xf32>
  %t = linalg.log ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %t : tensor<4x4xf32>
}

// The old weight is read after the update, which must not overwrite it then.
// CHECK-LABEL: storage of @reader_after_keeps_a_donated_argument:
// CHECK-NEXT:   s0 donated %w: 64 bytes
// CHECK-NEXT:   s1 argument %g: 64 bytes
// CHECK-NEXT:   s2 local %n: 64 bytes, outlives
// CHECK-NEXT:   s3 local %r: 64 bytes, outlives
// CHECK-NEXT:   step 0 linalg.sub %n: reads s0, reads s1, writes s2
// CHECK-NEXT:   step 1 linalg.exp %r: reads s0, writes s3
func.func @reader_after_keeps_a_donated_argument(%w: tensor<16xf32> {pebble.donated}, %g: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %n = linalg.sub ins(%w, %g : tensor<16xf32>, tensor<16xf32>) outs(%w : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.exp ins(%w : tensor<16xf32>) outs(%g : tensor<16xf32>) -> tensor<16xf32>
  return %n, %r : tensor<16xf32>, tensor<16xf32>
}
