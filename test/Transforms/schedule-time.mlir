// Where time counts, transfers run beside the steps: a store starts when its
// value is there, a load before it is needed, and both are waited for as late as
// the budget allows.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=17000 means=offload objective=time" --split-input-file --remarks-filter=pebble-schedule -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: pebble-opt %t --split-input-file --pebble-verify-schedule -o /dev/null
// RUN: pebble-opt %t --split-input-file -cse -canonicalize | FileCheck %s
// The mix is no slower.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=17000 means=both objective=time" --split-input-file -o - | FileCheck %s --check-prefix=BOTH

#two = #pebble.hierarchy<[
  <"fast", kind = explicit, bandwidth = 1000>,
  <"slow", kind = explicit, bandwidth = 1000, latency = 10>]>

// `a` is away while `c` to `f` run, which takes longer than its 4106 ns there
// and back: nothing stalls, and the time is that of the steps.
// CHECK-LABEL: func @all_is_hidden
// CHECK-SAME: bound = 60000 : i64, cost = 60000 : i64, {{.*}}stall_ns = 0 : i64, status = "optimal"
// CHECK: %[[A:.*]] = linalg.exp {pebble.cost = 10000 : i64, pebble.name = "a"}
// CHECK: %[[COPY:.*]], %[[TOKEN:.*]] = pebble.store %[[A]]
// CHECK: linalg.exp {pebble.cost = 10000 : i64, pebble.name = "b"}
// CHECK: pebble.wait %[[TOKEN]] for %[[COPY]]
// CHECK: pebble.drop %[[A]]
// CHECK: linalg.add {pebble.cost = 10000 : i64, pebble.name = "d"}
// CHECK: %[[BACK:.*]], %[[LOADED:.*]] = pebble.load
// CHECK: linalg.exp {pebble.cost = 10000 : i64, pebble.name = "e"}
// CHECK: pebble.wait %[[LOADED]] for %[[BACK]]
// REMARK: Remark="transfers run beside the steps: 100% of their time is hidden", StalledNs=0
// BOTH-LABEL: func @all_is_hidden
// BOTH-SAME: cost = 60000 : i64
module attributes {pebble.hierarchy = #two} {
  func.func @all_is_hidden(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %a = linalg.exp {pebble.name = "a", pebble.cost = 10000} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b = linalg.exp {pebble.name = "b", pebble.cost = 10000} ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %c = linalg.exp {pebble.name = "c", pebble.cost = 10000} ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %d = linalg.add {pebble.name = "d", pebble.cost = 10000} ins(%b, %c : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %f = linalg.exp {pebble.name = "e", pebble.cost = 10000} ins(%d : tensor<1024xf32>) outs(%d : tensor<1024xf32>) -> tensor<1024xf32>
    %g = linalg.add {pebble.name = "g", pebble.cost = 10000} ins(%f, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
    return %g : tensor<1024xf32>
  }
}

// -----

#slow = #pebble.hierarchy<[
  <"fast", kind = explicit, bandwidth = 1000>,
  <"slow", kind = explicit, bandwidth = 200>]>

// There and back takes 40960 ns, and only 30000 ns of them pass beside `b`, `c`
// and `e`. In `both` it is cheaper to run `a` again.
// CHECK-LABEL: func @what_cannot_be_hidden_is_a_stall
// CHECK-SAME: cost = 70960 : i64, {{.*}}stall_ns = 10960 : i64
// REMARK: MovingNs=40960, Remark="transfers run beside the steps: 73% of their time is hidden", StalledNs=10960
// BOTH-LABEL: func @what_cannot_be_hidden_is_a_stall
// BOTH-SAME: cost = 61000 : i64
module attributes {pebble.hierarchy = #slow} {
  func.func @what_cannot_be_hidden_is_a_stall(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %a = linalg.exp {pebble.name = "a", pebble.cost = 1000} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b = linalg.exp {pebble.name = "b", pebble.cost = 10000} ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %c = linalg.exp {pebble.name = "c", pebble.cost = 10000} ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %d = linalg.add {pebble.name = "d", pebble.cost = 29000} ins(%b, %c : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %f = linalg.exp {pebble.name = "e", pebble.cost = 10000} ins(%d : tensor<1024xf32>) outs(%d : tensor<1024xf32>) -> tensor<1024xf32>
    %g = linalg.add {pebble.name = "g", pebble.cost = 0} ins(%f, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
    return %g : tensor<1024xf32>
  }
}
