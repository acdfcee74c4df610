// PATH=$PWD/build/bin:$PATH test/Integration/Loops/reverse.py test/Integration/Loops/sines.mlir --trips=1000 --options=slots=6
// A loop whose trip count is an argument gives the same results whatever is
// kept, and takes what was predicted (no more, where few steps leave slots
// empty). Results are the last state and the gradients of its sum.
// RUN: %python %S/reverse.py %s --trips=0,1,2,3,5,7 --at-most --options=slots=1 --options=slots=2 --options=slots=5 | FileCheck %s
// RUN: %python %S/reverse.py %s --trips=30,1000 --options=slots=1 --options=slots=3 --options=slots=6 | FileCheck %s --check-prefix=MANY
// RUN: %python %S/gradients.py %s --trips=7 --options=slots=2 --of=1:1,2:2 | FileCheck %s --check-prefix=GRADIENT
// States in two tiers: segments, and as many as the number of steps asks for.
// RUN: %python %S/reverse.py %s --target=red-blue --at-most --no-moves --trips=0,1,2,3,7,8,30,1000 --options="slots=3 schedule=two-tier store-cost=3 load-cost=2" --options="slots=3 schedule=two-tier store-cost=30 load-cost=1" --options="slots=2 schedule=two-tier slow-slots=3 store-cost=3 load-cost=2" --options="slots=3 schedule=periodic store-cost=4 load-cost=4" --options="slots=1 schedule=periodic period=1" | FileCheck %s --check-prefix=TIERS
// TIERS: 0 steps, slots=3 schedule=two-tier
// TIERS: 1000 steps, slots=3 schedule=two-tier store-cost=3 load-cost=2: {{.*}}moved {'red->blue': 41984, 'blue->red': 41984}
// TIERS: 1000 steps, slots=3 schedule=two-tier store-cost=30 load-cost=1: {{.*}}moved {'red->blue': 13056, 'blue->red': 39168}
// TIERS: 1000 steps, slots=2 schedule=two-tier slow-slots=3
// TIERS: 1000 steps, slots=3 schedule=periodic store-cost=4
// TIERS: 1000 steps, slots=1 schedule=periodic period=1: {{.*}}moved {'red->blue': 255488, 'blue->red': 255488}
// CHECK: 0 steps, slots=5
// CHECK: 7 steps, slots=5
// MANY: 30 steps, all states
// MANY: 1000 steps, slots=1
// MANY: 1000 steps, slots=6
// GRADIENT-COUNT-2: differences agree
func.func @main(%n: index, %x: tensor<64xf32>, %w: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %y, %dx, %dw = pebble.adjoint_loop %n states(%x : tensor<64xf32>)
      adjoints(%one : tensor<64xf32>) gradients(%zero : tensor<64xf32>) primal {
  ^bb0(%i: index, %s: tensor<64xf32>):
    %t = arith.mulf %w, %s : tensor<64xf32>
    %next = math.sin %t : tensor<64xf32>
    pebble.yield %next : tensor<64xf32>
  } adjoint {
  ^bb0(%i: index, %s: tensor<64xf32>, %a: tensor<64xf32>, %g: tensor<64xf32>):
    %t = arith.mulf %w, %s : tensor<64xf32>
    %cos = math.cos %t : tensor<64xf32>
    %dt = arith.mulf %cos, %a : tensor<64xf32>
    %da = arith.mulf %w, %dt : tensor<64xf32>
    %dg = arith.mulf %s, %dt : tensor<64xf32>
    %sum = arith.addf %g, %dg : tensor<64xf32>
    pebble.yield %da, %sum : tensor<64xf32>, tensor<64xf32>
  }
  return %y, %dx, %dw : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
