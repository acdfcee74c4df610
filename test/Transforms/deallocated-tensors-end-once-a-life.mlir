// A tensor that the program deallocates may be made again or moved: each life of
// it ends once, by a drop where the block may drop it, otherwise by a
// deallocation at the end of the block, where no fold can put a use after it.
// RUN: pebble-opt %s --pebble-schedule="budget-percent=75 means=recompute" --split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule="budget-percent=75 means=recompute" --split-input-file -cse -canonicalize | FileCheck %s
// RUN: pebble-opt %s --pebble-target=red-blue --pebble-schedule="budget-percent=75 means=offload" --split-input-file | FileCheck %s --check-prefix=MOVED

// CHECK-LABEL: func @made_twice_and_dropped
// CHECK: %[[FIRST:.*]] = linalg.generic
// CHECK: pebble.drop %[[FIRST]]
// CHECK: linalg.exp
// CHECK: %[[SECOND:.*]] = linalg.generic
// CHECK: linalg.add
// CHECK-DAG: pebble.drop %[[SECOND]]
// CHECK-NOT: dealloc_tensor
// CHECK: return
// MOVED-LABEL: func @made_twice_and_dropped
// MOVED: pebble.store
// MOVED-NOT: dealloc_tensor
// MOVED: return
#same = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @made_twice_and_dropped(%x: tensor<16xf32>) -> tensor<16xf32> {
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %a = linalg.generic {indexing_maps = [#row, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16xf32>) outs(%w : tensor<64x16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %e = math.exp %i : f32
    linalg.yield %e : f32
  } -> tensor<64x16xf32>
  %a0 = tensor.extract_slice %a[0, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %s = linalg.negf ins(%a0 : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.broadcast ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %c = linalg.exp ins(%b : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[1, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %r = linalg.add ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  bufferization.dealloc_tensor %a : tensor<64x16xf32>
  bufferization.dealloc_tensor %c : tensor<64x16xf32>
  return %r : tensor<16xf32>
}

// -----

// CHECK-LABEL: func @made_twice_and_forwarded
// CHECK: %[[FIRST:.*]] = linalg.broadcast
// CHECK: linalg.exp
// CHECK: %[[SECOND:.*]] = linalg.broadcast ins(%{{[0-9a-z]+}} : tensor<16xf32>)
// CHECK: linalg.add
// CHECK-DAG: dealloc_tensor %[[FIRST]]
// CHECK-DAG: dealloc_tensor %[[SECOND]]
// CHECK: return
// MOVED-LABEL: func @made_twice_and_forwarded
// MOVED: pebble.store
// MOVED: return
func.func @made_twice_and_forwarded(%x: tensor<16xf32>) -> tensor<16xf32> {
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %a = linalg.broadcast ins(%x : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %a0 = tensor.extract_slice %a[0, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %s = linalg.negf ins(%a0 : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.broadcast ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %c = linalg.exp ins(%b : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[1, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %r = linalg.add ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  bufferization.dealloc_tensor %a : tensor<64x16xf32>
  return %r : tensor<16xf32>
}
