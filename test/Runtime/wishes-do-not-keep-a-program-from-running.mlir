// What was wished for a result is no obstacle when the result has become a
// buffer, here or by upstream's bufferization.
// RUN: pebble-run %s --json=%t.before
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 -o %t.planned && pebble-run %t.planned --json=%t.after
// RUN: grep -o 'results_sha256": "[0-9a-f]*' %t.before > %t.hash
// RUN: grep -F -f %t.hash %t.after
// RUN: sed 's/pebble.keep/pebble.recompute/' %s > %t.recompute && pebble-run %t.recompute --json=%t.after
// RUN: grep -F -f %t.hash %t.after
// RUN: sed 's/pebble.keep/pebble.offload/' %s > %t.offload && pebble-run %t.offload --json=%t.after
// RUN: grep -F -f %t.hash %t.after
// RUN: pebble-opt %s -one-shot-bufferize=bufferize-function-boundaries | FileCheck %s

// CHECK: linalg.exp {pebble.keep{{.*}}} ins(%{{.*}} : memref
func.func @main(%x: tensor<16xf32>, %m: memref<16xf32>) -> (tensor<16xf32>, tensor<20xf32>, tensor<16xf32>, f32) {
  %c0 = arith.constant {pebble.keep} 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.exp {pebble.keep, pebble.name = ["a"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %f = tensor.extract %a[%c0] {pebble.keep} : tensor<16xf32>
  %g = tensor.insert %f into %a[%c1] {pebble.keep} : tensor<16xf32>
  %p = tensor.pad %g low[2] high[2] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } {pebble.keep} : tensor<16xf32> to tensor<20xf32>
  %s = tensor.extract_slice %p[1] [8] [1] {pebble.keep} : tensor<20xf32> to tensor<8xf32>
  %q = tensor.insert_slice %s into %g[3] [8] [1] {pebble.keep} : tensor<8xf32> into tensor<16xf32>
  %l = scf.for %i = %c0 to %c5 step %c1 iter_args(%it = %q) -> (tensor<16xf32>) {
    %n = linalg.abs {pebble.keep} ins(%it : tensor<16xf32>) outs(%it : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %n : tensor<16xf32>
  } {pebble.keep, pebble.name = ["l"]}
  %k = func.call @callee(%l) {pebble.keep} : (tensor<16xf32>) -> tensor<16xf32>
  linalg.exp {pebble.keep} ins(%m : memref<16xf32>) outs(%m : memref<16xf32>)
  return %l, %p, %k, %f : tensor<16xf32>, tensor<20xf32>, tensor<16xf32>, f32
}

func.func private @callee(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %a:2 = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%x : tensor<16xf32>) outs(%e, %e : tensor<16xf32>, tensor<16xf32>) attrs = {pebble.keep, pebble.name = ["one", "two"]} {
  ^bb0(%i: f32, %o: f32, %o2: f32):
    %n = arith.negf %i : f32
    linalg.yield %i, %n : f32, f32
  } -> (tensor<16xf32>, tensor<16xf32>)
  return %a#1 : tensor<16xf32>
}
