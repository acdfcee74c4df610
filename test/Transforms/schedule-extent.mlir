// A budget is a block of memory, so an error names one whose block does: here no
// placement of the buffers that the leanest schedule has ends where they are 512
// bytes, the most that are live at one time.
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=448 means=none" 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=448 means=recompute" 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-schedule="budget-bytes=320 means=both objective=energy" 2>&1 | FileCheck %s --check-prefix=MOVES
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=512 means=recompute" 2>&1 | FileCheck %s --check-prefix=PEAK
// ORDER: schedule-extent.mlir:{{[0-9:]+}} error: no order fits in the budget of 448 bytes; the smallest feasible budget found is 576 bytes, which 512 live bytes, proven to be the least, take as one block
// SCHEDULE: error: no schedule fits in the budget of 448 bytes; the smallest feasible budget found is 576 bytes, which 512 live bytes, proven to be the least, take as one block
// MOVES: error: no schedule fits in the budget of 320 bytes; the smallest feasible budget found is 576 bytes, which 512 live bytes, proven to be the least, take as one block
// PEAK: schedule-extent.mlir:[[#@LINE+13]]:1: error: no addresses were found in the budget of 512 bytes: the schedule that comes closest has 512 live bytes, which take 576 bytes as one block (no placement takes less than 576); the smallest feasible budget found is 576 bytes

// What is named does.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=576 means=none" | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=576 means=recompute" | FileCheck %s
// RUN: pebble-opt %s --pebble-target=red-blue --pebble-schedule="budget-bytes=576 means=both objective=energy" | FileCheck %s
// CHECK: extent_bytes = 576 : i64, {{.*}}peak_bytes = 512 : i64

#in = affine_map<(k, i) -> (i)>
#out = affine_map<(k, i) -> (k, i)>
#one = {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel"]}
#two = {indexing_maps = [#in, #in, #out], iterator_types = ["parallel", "parallel"]}

func.func @gaps_whatever_the_order(%x: tensor<16xf32>) -> tensor<3x16xf32> {
  %e1 = tensor.empty() : tensor<1x16xf32>
  %e2 = tensor.empty() : tensor<2x16xf32>
  %e3 = tensor.empty() : tensor<3x16xf32>
  %e4 = tensor.empty() : tensor<4x16xf32>
  %b0 = linalg.generic #one ins(%x : tensor<16xf32>) outs(%e1 : tensor<1x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %v = math.exp %p : f32
    linalg.yield %v : f32
  } -> tensor<1x16xf32>
  %r10 = tensor.extract_slice %b0[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> to tensor<16xf32>
  %b1 = linalg.generic #one ins(%r10 : tensor<16xf32>) outs(%e3 : tensor<3x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %v = math.exp %p : f32
    linalg.yield %v : f32
  } -> tensor<3x16xf32>
  %r21 = tensor.extract_slice %b1[0, 0] [1, 16] [1, 1] : tensor<3x16xf32> to tensor<16xf32>
  %b2 = linalg.generic #one ins(%r21 : tensor<16xf32>) outs(%e4 : tensor<4x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %v = math.exp %p : f32
    linalg.yield %v : f32
  } -> tensor<4x16xf32>
  %r32 = tensor.extract_slice %b2[0, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<16xf32>
  %b3 = linalg.generic #one ins(%r32 : tensor<16xf32>) outs(%e3 : tensor<3x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %v = math.exp %p : f32
    linalg.yield %v : f32
  } -> tensor<3x16xf32>
  %r43 = tensor.extract_slice %b3[0, 0] [1, 16] [1, 1] : tensor<3x16xf32> to tensor<16xf32>
  %b4 = linalg.generic #one ins(%r43 : tensor<16xf32>) outs(%e4 : tensor<4x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %v = math.exp %p : f32
    linalg.yield %v : f32
  } -> tensor<4x16xf32>
  %r54 = tensor.extract_slice %b4[0, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<16xf32>
  %b5 = linalg.generic #one ins(%r54 : tensor<16xf32>) outs(%e1 : tensor<1x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %v = math.exp %p : f32
    linalg.yield %v : f32
  } -> tensor<1x16xf32>
  %r65 = tensor.extract_slice %b5[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> to tensor<16xf32>
  %r64 = tensor.extract_slice %b4[0, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<16xf32>
  %b6 = linalg.generic #two ins(%r65, %r64 : tensor<16xf32>, tensor<16xf32>) outs(%e2 : tensor<2x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %v = arith.addf %p, %q : f32
    linalg.yield %v : f32
  } -> tensor<2x16xf32>
  %r76 = tensor.extract_slice %b6[0, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
  %r75 = tensor.extract_slice %b5[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> to tensor<16xf32>
  %b7 = linalg.generic #two ins(%r76, %r75 : tensor<16xf32>, tensor<16xf32>) outs(%e1 : tensor<1x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %v = arith.addf %p, %q : f32
    linalg.yield %v : f32
  } -> tensor<1x16xf32>
  %r87 = tensor.extract_slice %b7[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> to tensor<16xf32>
  %r86 = tensor.extract_slice %b6[0, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<16xf32>
  %b8 = linalg.generic #two ins(%r87, %r86 : tensor<16xf32>, tensor<16xf32>) outs(%e4 : tensor<4x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %v = arith.addf %p, %q : f32
    linalg.yield %v : f32
  } -> tensor<4x16xf32>
  %r98 = tensor.extract_slice %b8[0, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<16xf32>
  %b9 = linalg.generic #one ins(%r98 : tensor<16xf32>) outs(%e3 : tensor<3x16xf32>) {
  ^bb0(%p: f32, %o: f32):
    %v = math.exp %p : f32
    linalg.yield %v : f32
  } -> tensor<3x16xf32>
  return %b9 : tensor<3x16xf32>
}
