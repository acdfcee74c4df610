// Values go to a slower tier and come back where that is what the budget asks.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=17000 means=offload objective=energy" --split-input-file --remarks-filter=pebble-schedule -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: pebble-opt %t --split-input-file --pebble-verify-schedule -o /dev/null
// RUN: pebble-opt %t --split-input-file -cse -canonicalize | FileCheck %s
// Transfers are cheaper than nothing: where they have no price, nothing is
// computed again.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=17000 means=both" --split-input-file -o - | FileCheck %s --check-prefix=BOTH
// And where they have one, what is cheaper is done.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=17000 means=both objective=energy" --split-input-file -o - | FileCheck %s --check-prefix=PRICED

#two = #pebble.hierarchy<[
  <"fast", kind = explicit, read = 1, write = 1>,
  <"slow", kind = explicit, read = 100, write = 100>]>

// `a` is read last of all; `c` is returned, and in the way meanwhile. Of `b` the
// storage is overwritten by `d`.
// CHECK-LABEL: func @stores_and_fetches
// CHECK-SAME: cost = 1716224 : i64, extent_bytes = 16384 : i64, input_peak_bytes = 20480 : i64, peak_bytes = 16384 : i64
// CHECK: %[[A:.*]] = linalg.exp
// CHECK: %[[B:.*]] = linalg.abs
// CHECK: %[[COPY:.*]], %[[TOKEN:.*]] = pebble.store %[[A]] {pebble.offset = 0 : i64} : tensor<1024xf32> -> tensor<1024xf32, #pebble.at<"slow">>
// CHECK-NEXT: %[[AWAY:.*]] = pebble.wait %[[TOKEN]] for %[[COPY]]
// CHECK-NEXT: pebble.drop %[[A]]
// CHECK: %[[D:.*]] = linalg.sub {{.*}}ins(%[[B]], %{{.*}}) outs(%[[B]]
// CHECK: %[[BACK:.*]], %[[LOADED:.*]] = pebble.load %[[AWAY]] {pebble.offset = {{[0-9]+}} : i64} : tensor<1024xf32, #pebble.at<"slow">> -> tensor<1024xf32>
// CHECK-NEXT: %[[AGAIN:.*]] = pebble.wait %[[LOADED]] for %[[BACK]]
// CHECK-NEXT: pebble.drop %[[AWAY]]
// CHECK: linalg.mul {{.*}}ins(%[[D]], %[[AGAIN]]
// CHECK: %[[C:.*]] = pebble.wait
// CHECK: return %{{.*}}, %[[C]]
// REMARK-DAG: "a is stored to 'slow' after 'linalg.exp b2', fetched before 'linalg.mul f', instead of taking memory in between"
// REMARK-DAG: "c is stored to 'slow' after 'linalg.sub d', fetched at the end, instead of taking memory in between"
// BOTH-LABEL: func @stores_and_fetches
// BOTH-SAME: bound = [[COST:[0-9]+]] : i64, cost = [[COST]] : i64, {{.*}}status = "optimal"
// BOTH-NOT: pebble.opaque
// BOTH: pebble.load
// PRICED-LABEL: func @stores_and_fetches
// PRICED-SAME: bound = 98304 : i64, cost = 98304 : i64, {{.*}}status = "optimal"
// PRICED-NOT: pebble.store
// PRICED: pebble.opaque
module attributes {pebble.hierarchy = #two} {
  func.func @stores_and_fetches(%x: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
    %e = tensor.empty() : tensor<1024xf32>
    %a = linalg.exp {pebble.name = "a"} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b = linalg.abs {pebble.name = "b"} ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b2 = linalg.exp {pebble.name = "b2"} ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %c = linalg.add {pebble.name = "c"} ins(%b2, %x : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %d = linalg.sub {pebble.name = "d"} ins(%b, %c : tensor<1024xf32>, tensor<1024xf32>) outs(%b : tensor<1024xf32>) -> tensor<1024xf32>
    %f = linalg.mul {pebble.name = "f"} ins(%d, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    return %f, %c : tensor<1024xf32>, tensor<1024xf32>
  }
}

// -----

#two = #pebble.hierarchy<[
  <"fast", kind = explicit, read = 1, write = 1>,
  <"slow", kind = explicit, read = 100, write = 100>]>

// What moves is the storage: views of it are made again, of what came back. A
// donated argument goes as well.
// CHECK-LABEL: func @views_are_made_again
// CHECK: pebble.store %[[X:arg0]]
// CHECK: pebble.load
// CHECK-NEXT: %[[AGAIN:.*]] = pebble.wait
// CHECK: tensor.extract_slice %[[AGAIN]][16] [16] [1]
// REMARK-DAG: "%x is stored to 'slow' after 'linalg.broadcast %m', fetched before 'linalg.add
module attributes {pebble.hierarchy = #two} {
  func.func @views_are_made_again(%x: tensor<2048xf32> {pebble.donated}) -> tensor<16xf32> {
    %n = tensor.empty() : tensor<16xf32>
    %w = tensor.empty() : tensor<128x16xf32>
    %x0 = tensor.extract_slice %x[0] [16] [1] : tensor<2048xf32> to tensor<16xf32>
    %m = linalg.broadcast ins(%x0 : tensor<16xf32>) outs(%w : tensor<128x16xf32>) dimensions = [0]
    %c = linalg.exp ins(%m : tensor<128x16xf32>) outs(%w : tensor<128x16xf32>) -> tensor<128x16xf32>
    %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<128x16xf32> to tensor<16xf32>
    %x1 = tensor.extract_slice %x[16] [16] [1] : tensor<2048xf32> to tensor<16xf32>
    %r = linalg.add ins(%c0, %x1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
    return %r : tensor<16xf32>
  }
}

// -----

// The middle tier is cheaper and has room for one of the two: exact search knows
// the prices of both.
// CHECK-LABEL: func @a_bounded_tier_takes_what_it_holds
// CHECK-SAME: bound = 987136 : i64, cost = 987136 : i64, {{.*}}status = "optimal"
// CHECK-DAG: pebble.store {{.*}}#pebble.at<"middle">
// CHECK-DAG: pebble.store {{.*}}#pebble.at<"slow">
// CHECK: return
module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"fast", kind = explicit, read = 1, write = 1>,
    <"middle", kind = explicit, capacity = 4096, read = 10, write = 10>,
    <"slow", kind = explicit, read = 100, write = 100>]>} {
  func.func @a_bounded_tier_takes_what_it_holds(%x: tensor<1024xf32>, %y: tensor<1024xf32>) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b = linalg.abs ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %c = linalg.exp ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %d = linalg.exp ins(%c : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %f = linalg.add ins(%d, %b : tensor<1024xf32>, tensor<1024xf32>) outs(%d : tensor<1024xf32>) -> tensor<1024xf32>
    %g = linalg.add ins(%f, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
    %h = linalg.mul ins(%g, %y : tensor<1024xf32>, tensor<1024xf32>) outs(%g : tensor<1024xf32>) -> tensor<1024xf32>
    return %h : tensor<1024xf32>
  }
}

// -----

#two = #pebble.hierarchy<[
  <"fast", kind = explicit, read = 1, write = 1>,
  <"slow", kind = explicit, read = 100, write = 100>]>

// There is room, but the user asks: away between its uses, wherever they are.
// CHECK-LABEL: func @offloads_what_is_to_be_offloaded
// CHECK: %[[K:.*]] = linalg.exp
// CHECK-NEXT: pebble.store %[[K]]
// CHECK: pebble.drop %[[K]]
// CHECK: pebble.load
// CHECK: linalg.abs
// CHECK: pebble.drop
// CHECK: linalg.exp
// CHECK: pebble.load
// CHECK: linalg.add
module attributes {pebble.hierarchy = #two} {
  func.func @offloads_what_is_to_be_offloaded(%x: tensor<64xf32>) -> tensor<64xf32> {
    %e = tensor.empty() : tensor<64xf32>
    %k = linalg.exp {pebble.offload = "slow"} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %l = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %b = linalg.abs ins(%k : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %m = linalg.exp ins(%b : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %c = linalg.add ins(%m, %k : tensor<64xf32>, tensor<64xf32>) outs(%m : tensor<64xf32>) -> tensor<64xf32>
    %d = linalg.add ins(%c, %l : tensor<64xf32>, tensor<64xf32>) outs(%c : tensor<64xf32>) -> tensor<64xf32>
    return %d : tensor<64xf32>
  }
}
