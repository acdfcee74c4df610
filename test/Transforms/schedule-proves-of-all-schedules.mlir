// What is proven of steps that are drawn together is not said of all schedules,
// and what the game counts on top is not held against an order.
// RUN: split-file %s %t

// Two dots into one sum make a unit, which would hold x and y at one time. An
// order puts them apart and costs nothing.
// RUN: pebble-opt %t/units.mlir --pebble-schedule="budget=832" | FileCheck %s --check-prefix=UNITS
// RUN: pebble-opt %t/units.mlir --pebble-schedule="budget=min" | FileCheck %s --check-prefix=UNITS
// UNITS: bound = [[COST:[0-9]+]] : i64, cost = [[COST]] : i64, {{.*}}peak_bytes = 832 : i64, {{.*}}status = "optimal"
// UNITS-NOT: pebble.opaque
// The least bytes where the energy of an order counts.
// RUN: pebble-opt %t/units.mlir --target=sutro --pebble-schedule="budget=min objective=energy" | FileCheck %s --check-prefix=ENERGY
// ENERGY: peak_bytes = 832 : i64

// A returned buffer that no step touches is alive at the end alone.
// RUN: pebble-opt %t/untouched.mlir --pebble-schedule="budget=640 means=none" | FileCheck %s --check-prefix=UNTOUCHED
// UNTOUCHED: peak_bytes = 640 : i64
// RUN: not pebble-opt %t/untouched.mlir --pebble-schedule="budget=600 means=none" 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: error: no order was found within the budget of 600 bytes; the smallest feasible budget found is 640 bytes

// A wish to offload is followed by whatever solver, and told where it cannot be.
// RUN: pebble-opt %t/wish.mlir --pebble-schedule="budget=17000 means=offload objective=energy solver=remat-search" | FileCheck %s --check-prefix=WISH
// RUN: pebble-opt %t/wish.mlir --pebble-schedule="budget=min means=offload" | FileCheck %s --check-prefix=WISH
// WISH: peak_bytes = 16384 : i64
// WISH: pebble.store
// RUN: not pebble-opt %t/wish.mlir --pebble-schedule="budget=8000 means=offload" 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: error: no schedule fits in the budget of 8000 bytes; the smallest feasible budget is 16384 bytes (proven)
// RUN: not pebble-opt %t/no-room.mlir --pebble-schedule="budget=17000 means=offload" 2>&1 | FileCheck %s --check-prefix=ROOM
// ROOM: error: cannot plan this block: the wishes to offload cannot all be followed: [M11] 4096 in tier 'slow', capacity 1000

//--- units.mlir
func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %e0 = tensor.empty() : tensor<f32>
  %w = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %x = linalg.mul ins(%w, %w : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %s1 = linalg.dot ins(%a, %x : tensor<64xf32>, tensor<64xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  %s2 = linalg.dot ins(%a, %y : tensor<64xf32>, tensor<64xf32>) outs(%s1 : tensor<f32>) -> tensor<f32>
  %h = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%w, %s2 : tensor<64xf32>, tensor<f32>) outs(%e : tensor<64xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %r = arith.mulf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  return %h : tensor<64xf32>
}
//--- untouched.mlir
func.func @main(%a: tensor<64xf32>) -> (tensor<1xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %o = tensor.empty() : tensor<1xf32>
  %v1 = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v2 = linalg.abs ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %v3 = linalg.tanh ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s1 = tensor.extract_slice %v1[0] [1] [1] : tensor<64xf32> to tensor<1xf32>
  %p1 = linalg.exp ins(%s1 : tensor<1xf32>) outs(%o : tensor<1xf32>) -> tensor<1xf32>
  %s2 = tensor.extract_slice %v2[0] [1] [1] : tensor<64xf32> to tensor<1xf32>
  %p2 = linalg.add ins(%s2, %p1 : tensor<1xf32>, tensor<1xf32>) outs(%o : tensor<1xf32>) -> tensor<1xf32>
  %s3 = tensor.extract_slice %v3[0] [1] [1] : tensor<64xf32> to tensor<1xf32>
  %p3 = linalg.add ins(%s3, %p2 : tensor<1xf32>, tensor<1xf32>) outs(%o : tensor<1xf32>) -> tensor<1xf32>
  %u = bufferization.alloc_tensor() : tensor<64xf32>
  %p4 = linalg.exp ins(%p3 : tensor<1xf32>) outs(%o : tensor<1xf32>) -> tensor<1xf32>
  return %p4, %u : tensor<1xf32>, tensor<64xf32>
}
//--- wish.mlir
#two = #pebble.hierarchy<[
  <"fast", kind = explicit, read = 1, write = 1>,
  <"slow", kind = explicit, read = 100, write = 100>]>
module attributes {pebble.hierarchy = #two} {
  func.func @f(%x: tensor<1024xf32>) -> (tensor<1024xf32>) {
    %e = tensor.empty() : tensor<1024xf32>
    %a = linalg.exp {pebble.name = "a", pebble.offload} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b = linalg.abs {pebble.name = "b"} ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %c = linalg.exp {pebble.name = "c"} ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %f = linalg.mul {pebble.name = "f"} ins(%c, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    return %f : tensor<1024xf32>
  }
}
//--- no-room.mlir
#two = #pebble.hierarchy<[
  <"fast", kind = explicit, read = 1, write = 1>,
  <"slow", kind = explicit, capacity = 1000, read = 100, write = 100>]>
module attributes {pebble.hierarchy = #two} {
  func.func @f(%x: tensor<1024xf32>) -> (tensor<1024xf32>) {
    %e = tensor.empty() : tensor<1024xf32>
    %a = linalg.exp {pebble.name = "a", pebble.offload} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b = linalg.abs {pebble.name = "b"} ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %c = linalg.exp {pebble.name = "c"} ins(%b : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %f = linalg.mul {pebble.name = "f"} ins(%c, %a : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    return %f : tensor<1024xf32>
  }
}
