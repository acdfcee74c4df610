// What the user asks for is done, and every large value is accounted for.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=17000" --split-input-file --remarks-filter=pebble-schedule -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// Two values are wanted late; the one that is to be kept is kept although it
// would be the cheaper one to make again.
// CHECK-LABEL: func @keeps_what_is_to_be_kept
// CHECK-DAG: linalg.abs
// CHECK-DAG: linalg.exp {pebble.name = "b"}
// CHECK: linalg.exp {pebble.name = "c"}
// CHECK: linalg.exp {pebble.name = "b"}
// CHECK-NOT: linalg.abs
// CHECK: return
// REMARK-DAG: "a could not be recomputed: pebble.keep asks for it"
// REMARK-DAG: "b is computed 1 more time, instead of taking memory in between"
// REMARK-DAG: "c is kept from 'linalg.exp c' to 'linalg.add r'"
func.func @keeps_what_is_to_be_kept(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %a = linalg.abs {pebble.keep, pebble.name = "a"} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.exp {pebble.name = "b"} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a0 = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %b0 = tensor.extract_slice %b[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %s = linalg.add ins(%a0, %b0 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %m = linalg.broadcast {pebble.name = "m"} ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %c = linalg.exp {pebble.name = "c"} ins(%m : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %b1 = tensor.extract_slice %b[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %r = linalg.add {pebble.name = "r"} ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %t = linalg.add ins(%r, %b1 : tensor<16xf32>, tensor<16xf32>) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  return %t : tensor<16xf32>
}

// -----

// There is room, but the value is to be made again for each use.
// CHECK-LABEL: func @recomputes_what_is_to_be_recomputed
// CHECK: linalg.exp
// CHECK: linalg.abs
// CHECK: pebble.drop
// CHECK: linalg.exp
// CHECK: linalg.add
// REMARK-DAG: "k is computed 1 more time, instead of taking memory in between"
func.func @recomputes_what_is_to_be_recomputed(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %k = linalg.exp {pebble.recompute, pebble.name = "k"} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %b = linalg.abs ins(%k : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %c = linalg.add ins(%b, %k : tensor<64xf32>, tensor<64xf32>) outs(%b : tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
