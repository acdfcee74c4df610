// RUN: pebble-opt %s --pebble-checkpoint-calls="mode=joint dim-bound=64" -o - | FileCheck %s
// RUN: not pebble-opt %s --pebble-checkpoint-calls=mode=joint 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pebble-opt %s --pebble-checkpoint-calls=dim-bound=-1 2>&1 | FileCheck %s --check-prefix=RANGE

// Sizes that are not known are bounded as in other passes.
// CHECK: func.func @main
// CHECK: call @layer.plain(
// CHECK: call @layer.adjoint(
// UNKNOWN: error: size of tensor<?xf32> is not known; bound dynamic dimensions with dim-bound
// RANGE: error: {{.*}}dim-bound
func.func private @layer(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %b = math.sin %x : tensor<?xf32>
  %c = math.cos %b : tensor<?xf32>
  return %b, %c : tensor<?xf32>, tensor<?xf32>
}
func.func private @layer_back(%c: tensor<?xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  %e = arith.mulf %d, %c : tensor<?xf32>
  return %e : tensor<?xf32>
}
func.func @main(%x: tensor<?xf32>, %d: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %y, %s = call @layer(%x) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
  %g = call @layer_back(%s, %d) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %y, %g : tensor<?xf32>, tensor<?xf32>
}
