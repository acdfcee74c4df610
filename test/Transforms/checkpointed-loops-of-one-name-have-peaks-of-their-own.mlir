// Two functions of one name, in two modules: what is predicted of one loop is
// not said of the other.
// RUN: pebble-opt %s --pebble-checkpoint-loops=slots=3 | FileCheck %s
// CHECK: module @small
// CHECK: pebble.reversal = {{.*}}peak_bytes = 576 : i64
// CHECK: module @large
// CHECK: pebble.reversal = {{.*}}peak_bytes = 4160 : i64
module @small {
  func.func @f(%x: tensor<16xf32>, %a: tensor<16xf32>) -> tensor<16xf32> {
    %n = arith.constant 20 : index
    %y, %dx = pebble.adjoint_loop %n states(%x : tensor<16xf32>) adjoints(%a : tensor<16xf32>) primal {
    ^bb0(%i: index, %s: tensor<16xf32>):
      %next = math.sin %s : tensor<16xf32>
      pebble.yield %next : tensor<16xf32>
    } adjoint {
    ^bb0(%i: index, %s: tensor<16xf32>, %b: tensor<16xf32>):
      %cos = math.cos %s : tensor<16xf32>
      %c = arith.mulf %cos, %b : tensor<16xf32>
      pebble.yield %c : tensor<16xf32>
    }
    return %dx : tensor<16xf32>
  }
}
module @large {
  func.func @f(%x: tensor<128xf32>, %a: tensor<128xf32>) -> tensor<128xf32> {
    %n = arith.constant 20 : index
    %y, %dx = pebble.adjoint_loop %n states(%x : tensor<128xf32>) adjoints(%a : tensor<128xf32>) primal {
    ^bb0(%i: index, %s: tensor<128xf32>):
      %next = math.sin %s : tensor<128xf32>
      pebble.yield %next : tensor<128xf32>
    } adjoint {
    ^bb0(%i: index, %s: tensor<128xf32>, %b: tensor<128xf32>):
      %cos = math.cos %s : tensor<128xf32>
      %c = arith.mulf %cos, %b : tensor<128xf32>
      pebble.yield %c : tensor<128xf32>
    }
    return %dx : tensor<128xf32>
  }
}
