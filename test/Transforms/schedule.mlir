// RUN: pebble-opt %s --pebble-schedule="budget-percent=80" --pebble-verify-schedule --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule="budget-percent=80" -cse -canonicalize --pebble-verify-schedule | FileCheck %s --check-prefix=AFTER-CSE
// RUN: pebble-opt %s --pebble-schedule="budget-percent=80" --pebble-schedule="budget-percent=100" | FileCheck %s --check-prefix=TWICE

// `a` is wanted at both ends, and both of b and c beside it are too much. The
// clone has a destination of its own, takes all it takes through the opaque
// identity, and says where it comes from; the late view shows the clone.
// CHECK-LABEL: func @runs_again_what_is_wanted_late
// CHECK-SAME: pebble.result = {bound = 34912 : i64, cost = 34912 : i64, extent_bytes = 12352 : i64, input_peak_bytes = 16384 : i64, peak_bytes = 12352 : i64, solver = "{{.*}}", status = "optimal", summary = {kept_bytes = 8320 : i64, kept_values = 4 : i64, moved_bytes = 0 : i64, moved_values = 0 : i64, once_cost = 24672 : i64, recomputed_bytes = 4096 : i64, recomputed_values = 1 : i64}}
// CHECK: %[[A:.*]] = linalg.exp ins(%arg0
// CHECK: tensor.extract_slice %[[A]][0]
// CHECK: pebble.drop %[[A]] : tensor<1024xf32> loc("a")
// CHECK: linalg.broadcast
// CHECK: %[[X:.*]] = pebble.opaque %arg0
// CHECK: %[[D:.*]] = bufferization.alloc_tensor() {pebble.offset = {{[0-9]+}} : i64} : tensor<1024xf32> loc("a")
// CHECK: %[[OD:.*]] = pebble.opaque %[[D]] : tensor<1024xf32> loc("a")
// CHECK: %[[AGAIN:.*]] = linalg.exp ins(%[[X]] : {{.*}}) outs(%[[OD]] : {{.*}} loc("a")
// CHECK: %[[LATE:.*]] = tensor.extract_slice %[[AGAIN]][16]
// CHECK: linalg.add {{.*}}%[[LATE]]
// CHECK-NEXT: pebble.drop %[[AGAIN]]
// AFTER-CSE-LABEL: func @runs_again_what_is_wanted_late
// AFTER-CSE: linalg.exp
// AFTER-CSE: linalg.exp
// AFTER-CSE: linalg.exp
// A schedule that fits stays as it is.
// TWICE-LABEL: func @runs_again_what_is_wanted_late
// TWICE-SAME: cost = 34912 : i64, extent_bytes = 12352 : i64, input_peak_bytes = 12352 : i64, peak_bytes = 12352 : i64, solver = "given"
func.func @runs_again_what_is_wanted_late(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32> loc("a")
  %a0 = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %s = linalg.negf ins(%a0 : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32> loc("s")
  %b = linalg.broadcast ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0] loc("b")
  %c = linalg.exp ins(%b : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32> loc("c")
  %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %r = linalg.add ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32> loc("r")
  return %r : tensor<16xf32>
}

// A fill and what accumulates into it run again together, and so does an update
// in place on top of them: alone, each would read what is gone.
// CHECK-LABEL: func @a_chain_in_place_runs_again_as_one
// CHECK: %[[ZERO:.*]] = pebble.opaque %cst : f32
// CHECK: %[[D:.*]] = bufferization.alloc_tensor() {pebble.offset = {{[0-9]+}} : i64} : tensor<32x32xf32>
// CHECK: %[[OD:.*]] = pebble.opaque %[[D]]
// CHECK: %[[F:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[OD]]
// CHECK: %[[OF:.*]] = pebble.opaque %[[F]]
// CHECK: %[[M:.*]] = linalg.matmul ins({{.*}}) outs(%[[OF]]
// CHECK: %[[OM:.*]] = pebble.opaque %[[M]]
// CHECK: %[[R:.*]] = linalg.exp ins({{.*}}) outs(%[[OM]]
// CHECK: linalg.add ins(%{{.*}}, %[[R]]
// AFTER-CSE-LABEL: func @a_chain_in_place_runs_again_as_one
// AFTER-CSE-COUNT-2: linalg.matmul
func.func @a_chain_in_place_runs_again_as_one(%x: tensor<32x4xf32>, %y: tensor<4x32xf32>) -> tensor<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %m = linalg.matmul ins(%x, %y : tensor<32x4xf32>, tensor<4x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %a = linalg.exp ins(%m : tensor<32x32xf32>) outs(%m : tensor<32x32xf32>) -> tensor<32x32xf32>
  %b = linalg.abs ins(%a : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %c = linalg.exp ins(%b : tensor<32x32xf32>) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %d = linalg.add ins(%c, %a : tensor<32x32xf32>, tensor<32x32xf32>) outs(%c : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %d : tensor<32x32xf32>
}

// An order is enough: nothing runs twice.
// CHECK-LABEL: func @an_order_is_enough
// CHECK-SAME: input_peak_bytes = 12352 : i64, peak_bytes = 8320 : i64
// CHECK-NOT: pebble.opaque
// CHECK: return
func.func @an_order_is_enough(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.abs ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a_low = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %b_low = tensor.extract_slice %b[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %p = linalg.negf ins(%a_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.negf ins(%b_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.add ins(%p, %q : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// One run makes both results; what comes later uses both of the second run.
// CHECK-LABEL: func @several_results_run_again_together
// CHECK: %[[ONE:.*]]:2 = linalg.generic
// CHECK: %[[TWO:.*]]:2 = linalg.generic
// CHECK: linalg.add ins({{.*}}%[[TWO]]#0
// CHECK: linalg.add ins({{.*}}%[[TWO]]#1
#id = affine_map<(i) -> (i)>
func.func @several_results_run_again_together(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %a:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<1024xf32>) outs(%e, %e : tensor<1024xf32>, tensor<1024xf32>) {
    ^bb0(%i: f32, %o: f32, %p: f32):
      %s = math.sqrt %i : f32
      %t = math.absf %i : f32
      linalg.yield %s, %t : f32, f32
  } -> (tensor<1024xf32>, tensor<1024xf32>)
  %b = linalg.mul ins(%a#0, %a#1 : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %c = linalg.exp ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %d = linalg.mul ins(%b, %c : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %f = linalg.sub ins(%c, %d : tensor<1024xf32>, tensor<1024xf32>) outs(%c : tensor<1024xf32>) -> tensor<1024xf32>
  %g = linalg.add ins(%f, %a#0 : tensor<1024xf32>, tensor<1024xf32>) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
  %h = linalg.add ins(%g, %a#1 : tensor<1024xf32>, tensor<1024xf32>) outs(%g : tensor<1024xf32>) -> tensor<1024xf32>
  return %h : tensor<1024xf32>
}

// The block inside is ordered for its peak, and is one step outside.
// CHECK-LABEL: func @inner_blocks_are_ordered
// CHECK: scf.for
// CHECK: linalg.exp
// CHECK: linalg.negf
// CHECK: linalg.abs
// CHECK: linalg.negf
func.func @inner_blocks_are_ordered(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> tensor<16xf32> {
    %w = tensor.empty() : tensor<64x16xf32>
    %f = tensor.empty() : tensor<16xf32>
    %wide = linalg.broadcast ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
    %a = linalg.exp ins(%wide : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
    %b = linalg.abs ins(%wide : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
    %a_low = tensor.extract_slice %a[0, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
    %b_low = tensor.extract_slice %b[0, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
    %p = linalg.negf ins(%a_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
    %q = linalg.negf ins(%b_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
    %t = linalg.add ins(%p, %q : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %t : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// A copy may turn out to be what it copies. Neither side is dropped: to
// canonicalisation they may be one.
// CHECK-LABEL: func @what_may_be_forwarded_is_not_dropped
// CHECK: %[[A:.*]] = linalg.exp
// CHECK-NOT: pebble.drop %[[A]]
// CHECK: return
// AFTER-CSE-LABEL: func @what_may_be_forwarded_is_not_dropped
func.func @what_may_be_forwarded_is_not_dropped(%x: tensor<16xf32>) -> tensor<16xf32> {
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %wide = linalg.broadcast ins(%x : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %a = linalg.exp ins(%wide : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %b = linalg.copy ins(%a : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %other = linalg.broadcast ins(%x : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %c = linalg.abs ins(%other : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %b0 = tensor.extract_slice %b[0, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %c0 = tensor.extract_slice %c[0, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %p = linalg.negf ins(%b0 : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.add ins(%p, %c0 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
