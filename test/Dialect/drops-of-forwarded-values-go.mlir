// Canonicalisation replaces an op that only hands its input on by that input. A
// drop of the result would then end the life of the input, which is another one.
// RUN: pebble-opt %s -canonicalize | FileCheck %s
// RUN: pebble-run %s --seed=4 --output-dir=%t.before
// RUN: pebble-opt %s -cse -canonicalize | pebble-run - --seed=4 --poison --output-dir=%t.after
// RUN: diff -r %t.before %t.after

#id = affine_map<(d0) -> (d0)>

// The input belongs to the caller.
// CHECK-LABEL: func.func private @argument
// CHECK-NOT: pebble.drop
// CHECK: return
func.func private @argument(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %same = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %y = linalg.exp ins(%same : tensor<64xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  pebble.drop %same : tensor<64xf32>
  return %y : tensor<64xf32>
}

// The input is used afterwards.
// CHECK-LABEL: func.func private @used
// CHECK-NOT: pebble.drop
// CHECK: return
func.func private @used(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %d = tensor.empty() : tensor<64xf32>
  %v = linalg.abs ins(%x : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %same = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%v : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %y = linalg.exp ins(%same : tensor<64xf32>) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  pebble.drop %same : tensor<64xf32>
  return %y, %v : tensor<64xf32>, tensor<64xf32>
}

// A drop that is right stays.
// CHECK-LABEL: func.func @main
// CHECK: pebble.drop
func.func @main(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %d = tensor.empty() : tensor<64xf32>
  %v = linalg.abs ins(%x : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  %a = call @argument(%v) : (tensor<64xf32>) -> tensor<64xf32>
  pebble.drop %v : tensor<64xf32>
  %b, %c = call @used(%a) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  return %a, %b, %c : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
