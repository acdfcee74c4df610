// The gradient of a loop of 300 steps, reversed with states in both tiers; with --slow-dir the slower one is files.
// RUN: %python %S/kill.py %s --every=20 --kills=4 --seed=3 --checkpoint="slots=4 slow-slots=6" | FileCheck %s
// RUN: %python %S/kill.py %s --every=20 --kills=4 --seed=4 --checkpoint="slots=3 slow-slots=8 schedule=two-tier" | FileCheck %s
// RUN: %python %S/kill.py %s --every=20 --kills=3 --seed=5 --checkpoint="slots=4 schedule=periodic period=40" | FileCheck %s
// RUN: %python %S/kill.py %s --every=20 --kills=3 --seed=6 --checkpoint="schedule=store-all" | FileCheck %s
// CHECK: killed {{[1-9][0-9]*}} times while it ran, {{.*}} all with the same results

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"ram", kind = explicit, bandwidth = 10000, latency = 100>,
    <"disk", kind = explicit, bandwidth = 1000, latency = 1000>]>} {
  func.func @main(%x: tensor<20000xf32>, %w: tensor<20000xf32> {pebble.range = [0.9, 1.1]})
      -> (tensor<20000xf32>, tensor<20000xf32>, tensor<20000xf32>) {
    %n = arith.constant 300 : index
    %zero = arith.constant dense<0.0> : tensor<20000xf32>
    %one = arith.constant dense<1.0> : tensor<20000xf32>
    %y, %dx, %dw = pebble.adjoint_loop %n states(%x : tensor<20000xf32>)
        adjoints(%one : tensor<20000xf32>) gradients(%zero : tensor<20000xf32>) primal {
    ^bb0(%i: index, %s: tensor<20000xf32>):
      %t = arith.mulf %w, %s : tensor<20000xf32>
      %next = math.sin %t : tensor<20000xf32>
      pebble.yield %next : tensor<20000xf32>
    } adjoint {
    ^bb0(%i: index, %s: tensor<20000xf32>, %a: tensor<20000xf32>, %g: tensor<20000xf32>):
      %t = arith.mulf %w, %s : tensor<20000xf32>
      %cos = math.cos %t : tensor<20000xf32>
      %dt = arith.mulf %cos, %a : tensor<20000xf32>
      %da = arith.mulf %w, %dt : tensor<20000xf32>
      %dg = arith.mulf %s, %dt : tensor<20000xf32>
      %sum = arith.addf %g, %dg : tensor<20000xf32>
      pebble.yield %da, %sum : tensor<20000xf32>, tensor<20000xf32>
    }
    return %y, %dx, %dw : tensor<20000xf32>, tensor<20000xf32>, tensor<20000xf32>
  }
}
