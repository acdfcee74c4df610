// States in the slower tier are compressed, each as the list says; those in the
// compute tier, and numbers, are not.
// RUN: pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=bitmask,bits,none,bits slow-density-percent=10" | FileCheck %s
// CHECK-DAG: alloc_tensor() : tensor<3x1024xf32, #pebble.at<"host", compress = bitmask, density_percent = 10, rows = true>>
// CHECK-DAG: alloc_tensor() : tensor<3x1024xi8, #pebble.at<"host", compress = bits, rows = true>>
// CHECK-DAG: alloc_tensor() : tensor<3x16xf32, #pebble.at<"host">>
// CHECK-DAG: alloc_tensor() : tensor<1x1024xf32>
// CHECK-DAG: alloc_tensor() : tensor<4xf32>
// One word is for all states, and in the array of each period too.
// RUN: pebble-opt %s --pebble-checkpoint-loops="slots=2 schedule=periodic period=3 slow-compress=bits" | FileCheck %s --check-prefix=PERIODIC
// PERIODIC-DAG: tensor<1x1024xf32, #pebble.at<"host", compress = bits, rows = true>>
// PERIODIC-DAG: tensor<1x16xf32, #pebble.at<"host", compress = bits, rows = true>>
// The pass prints its options as they are read.
// RUN: pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=none,bits,none,none" --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: slow-compress={none,bits,none,none}
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=bits,none" 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: 'slow-compress' has 2 entries, and the loop 4 states
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-compress=bits" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'slow-compress' is of states in a slower tier, and none is to be kept there
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=bitmask" 2>&1 | FileCheck %s --check-prefix=DENSITY
// DENSITY: error: 'slow-compress=bitmask' needs a 'slow-density-percent' of 1 to 100, got 0
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=bits slow-density-percent=5" 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=bits slow-density-percent=5%%" 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=bitmask slow-density-percent=101%%" 2>&1 | FileCheck %s --check-prefix=OVER
// OVER: error: 'slow-density-percent' takes a whole number from 1 to 100, or that as 5%, got 101%
// BITS: error: 'slow-density-percent' belongs to 'slow-compress=bitmask', got 5
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=zip" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: 'slow-compress' takes none, bitmask or bits, got 'zip'
// RUN: sed 's/xi8/xi128/g' %s > %t.mlir
// RUN: not pebble-opt %t.mlir --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=bits" 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: error: state 1 is of type 'tensor<1024xi128>', whose elements cannot be kept compressed
// Three states of 528 + 128 + 64 bytes fit where 5,184 each would not.
// RUN: sed 's/"host", kind = explicit/"host", kind = explicit, capacity = 2200/' %s > %t.mlir
// RUN: pebble-opt %t.mlir --pebble-checkpoint-loops="slots=2 slow-slots=3 slow-compress=bitmask,bits,none,bits slow-density-percent=10"
// RUN: not pebble-opt %t.mlir --pebble-checkpoint-loops="slots=2 slow-slots=3" 2>&1 | FileCheck %s --check-prefix=ROOM
// ROOM: error: a state takes 5184 bytes, and tier 'host' holds 2200
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>, <"host", kind = explicit>]>} {
func.func @main(%v: tensor<1024xf32>, %s: tensor<1024xi8>, %c: tensor<16xf32>, %f: f32, %a: tensor<1024xf32>) -> tensor<1024xf32> {
  %n = arith.constant 9 : index
  %r:5 = pebble.adjoint_loop %n states(%v, %s, %c, %f : tensor<1024xf32>, tensor<1024xi8>, tensor<16xf32>, f32) adjoints(%a : tensor<1024xf32>) primal {
  ^bb0(%i: index, %v1: tensor<1024xf32>, %s1: tensor<1024xi8>, %c1: tensor<16xf32>, %f1: f32):
    %next = math.sin %v1 : tensor<1024xf32>
    pebble.yield %next, %s1, %c1, %f1 : tensor<1024xf32>, tensor<1024xi8>, tensor<16xf32>, f32
  } adjoint {
  ^bb0(%i: index, %v1: tensor<1024xf32>, %s1: tensor<1024xi8>, %c1: tensor<16xf32>, %f1: f32, %b: tensor<1024xf32>):
    %cos = math.cos %v1 : tensor<1024xf32>
    %d = arith.mulf %cos, %b : tensor<1024xf32>
    pebble.yield %d : tensor<1024xf32>
  }
  return %r#4 : tensor<1024xf32>
}
}
