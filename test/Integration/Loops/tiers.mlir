// PATH=$PWD/build/bin:$PATH test/Integration/Loops/reverse.py test/Integration/Loops/tiers.mlir --options="slots=2 slow-slots=3"
// States in two tiers, of a tensor and of numbers, in a loop that runs in a
// loop. What moves between the tiers is predicted to the byte.
// RUN: %python %S/reverse.py %s --options=slots=2 --options="slots=2 slow-slots=3" --options="slots=1 slow-slots=2" --options="slots=60 slow-slots=4" --options="schedule=periodic period=8 slots=3" --options="schedule=periodic period=19 slots=19" --options="schedule=periodic period=100 slots=2" | FileCheck %s
// CHECK: all states: peak {'hbm': {{[0-9]+}}}
// CHECK: slots=2: peak {'hbm': {{[0-9]+}}}, forward
// CHECK: slots=2 slow-slots=3: peak {'hbm': {{[0-9]+}}, 'host': 19200}, moved {'hbm->host': 352000, 'host->hbm': 640000}, forward steps 87
// CHECK: slots=1 slow-slots=2:
// Ten states at the most fit into 60 slots of the fast tier: none moves.
// CHECK: slots=60 slow-slots=4: peak {'hbm': {{[0-9]+}}}, forward steps 38
// CHECK: schedule=periodic period=8 slots=3: peak {'hbm': {{[0-9]+}}, 'host': 19200}, moved {'hbm->host': 96000, 'host->hbm': 96000}
// CHECK: schedule=periodic period=19 slots=19: peak {'hbm': {{[0-9]+}}}, forward
// CHECK: schedule=periodic period=100 slots=2: peak {'hbm': {{[0-9]+}}}, forward
// The period of least cost, and the best schedules of all: of six states at a
// time if they may be that many, of two that are written again, and of all that
// there are where transfers are cheap and there is room for the first state
// alone. Where transfers are too dear none moves.
// RUN: %python %S/reverse.py %s --options="schedule=periodic slots=3 store-cost=3 load-cost=2" --options="schedule=two-tier slots=2 store-cost=3 load-cost=2" --options="schedule=two-tier slots=2 slow-slots=2 store-cost=3 load-cost=2" --options="schedule=two-tier slots=1 slow-slots=2 store-cost=1 load-cost=0" --options="schedule=two-tier slots=1 store-cost=1 load-cost=0" --options="schedule=two-tier slots=4 store-cost=20 load-cost=0" | FileCheck %s --check-prefix=BEST
// BEST: schedule=periodic slots=3 {{.*}}'host': 12800}, moved {'hbm->host': 64000, 'host->hbm': 64000}, forward steps 87
// BEST: schedule=two-tier slots=2 store{{.*}}'host': 38400}, moved {'hbm->host': 192000, 'host->hbm': 352000}, forward steps 82
// BEST: schedule=two-tier slots=2 slow{{.*}}'host': 12800}, moved {'hbm->host': 96000, 'host->hbm': 256000}, forward steps 109
// BEST: schedule=two-tier slots=1 slow{{.*}}'host': 12800}, moved {'hbm->host': 320000, 'host->hbm': 1056000}, forward steps 125
// BEST: schedule=two-tier slots=1 store{{.*}}'host': 230400}, moved {'hbm->host': 1152000, 'host->hbm': 1152000}, forward steps 38
// BEST: schedule=two-tier slots=4 store{{.*}}: peak {'hbm': {{[0-9]+}}}, forward steps 97
// The costs of the second one's remark: 82 + 3 * 6 + 2 * 11 in one of five runs.
// RUN: pebble-opt %s --pebble-checkpoint-loops="schedule=two-tier slots=2 store-cost=3 load-cost=2" | FileCheck %s --check-prefix=COST
// COST: pebble.reversal = {backward_steps = 38 : i64, bound = 122 : i64, cost = 122 : i64, forward_cost = 1 : i64, forward_steps = 82 : i64, load_cost = 2 : i64, loads = 11 : i64, {{.*}}slots = 2 : i64, slow_slots = 6 : i64, steps = 38 : i64, store_cost = 3 : i64, stores = 6 : i64}
#device = #pebble.hierarchy<[
  <"hbm", kind = explicit, capacity = 1000000, read = 160000, write = 160000>,
  <"host", kind = explicit, read = 640000, write = 640000, bandwidth = 16000>
], name = "device">
module attributes {pebble.hierarchy = #device} {
  func.func @main(%x0: tensor<40x40xf32>, %f0: f32, %w: tensor<40x40xf32>)
      -> (tensor<40x40xf32>, f32, tensor<40x40xf32>, f32) {
    %n = arith.constant 38 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %count0 = arith.constant 0 : i32
    %one32 = arith.constant 1 : i32
    %e = tensor.empty() : tensor<40x40xf32>
    %done:4 = scf.for %epoch = %c0 to %c5 step %c1 iter_args(%x = %x0, %f = %f0, %g = %x0, %gf = %f0)
        -> (tensor<40x40xf32>, f32, tensor<40x40xf32>, f32) {
      %a0 = linalg.fill ins(%one : f32) outs(%e : tensor<40x40xf32>) -> tensor<40x40xf32>
      // The state is a field, a factor, and the number of steps so far.
      %r:6 = pebble.adjoint_loop %n states(%x, %f, %count0 : tensor<40x40xf32>, f32, i32)
          adjoints(%a0, %zero : tensor<40x40xf32>, f32) gradients(%g : tensor<40x40xf32>) primal {
      ^bb0(%i: index, %s: tensor<40x40xf32>, %t: f32, %count: i32):
        %next = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
            ins(%s, %w : tensor<40x40xf32>, tensor<40x40xf32>) outs(%e : tensor<40x40xf32>) {
        ^bb0(%vs: f32, %vw: f32, %o: f32):
          %1 = arith.mulf %vs, %vw : f32
          %2 = arith.mulf %1, %t : f32
          %3 = math.sin %2 : f32
          linalg.yield %3 : f32
        } -> tensor<40x40xf32>
        %cos = math.cos %t : f32
        %more = arith.addi %count, %one32 : i32
        pebble.yield %next, %cos, %more : tensor<40x40xf32>, f32, i32
      } adjoint {
      ^bb0(%i: index, %s: tensor<40x40xf32>, %t: f32, %count: i32, %a: tensor<40x40xf32>, %at: f32, %gw: tensor<40x40xf32>):
        // The number of steps so far must be the step's own.
        %i32 = arith.index_cast %i : index to i32
        %off = arith.subi %count, %i32 : i32
        %offf = arith.sitofp %off : i32 to f32
        %back:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
            ins(%s, %w : tensor<40x40xf32>, tensor<40x40xf32>) outs(%a, %gw : tensor<40x40xf32>, tensor<40x40xf32>) {
        ^bb0(%vs: f32, %vw: f32, %va: f32, %vg: f32):
          %1 = arith.mulf %vs, %vw : f32
          %2 = arith.mulf %1, %t : f32
          %3 = math.cos %2 : f32
          %4 = arith.mulf %va, %3 : f32
          %5 = arith.mulf %4, %t : f32
          %6 = arith.mulf %5, %vw : f32
          %7 = arith.mulf %5, %vs : f32
          %8 = arith.addf %vg, %7 : f32
          %9 = arith.addf %8, %offf : f32
          linalg.yield %6, %9 : f32, f32
        } -> (tensor<40x40xf32>, tensor<40x40xf32>)
        %sin = math.sin %t : f32
        %10 = arith.mulf %at, %sin : f32
        %11 = arith.subf %offf, %10 : f32
        pebble.yield %back#0, %11, %back#1 : tensor<40x40xf32>, f32, tensor<40x40xf32>
      }
      scf.yield %r#0, %r#1, %r#5, %r#4 : tensor<40x40xf32>, f32, tensor<40x40xf32>, f32
    }
    return %done#0, %done#1, %done#2, %done#3 : tensor<40x40xf32>, f32, tensor<40x40xf32>, f32
  }
}
