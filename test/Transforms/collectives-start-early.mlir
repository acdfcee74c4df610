// Two layers whose weights are gathered. The second gather runs beside the
// first product, where there is room for both weights. The first has little to
// run beside.
// RUN: pebble-opt %s --pebble-schedule="budget=64KiB objective=time" -o %t.mlir 2> %t.line
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=LINE < %t.line
// CHECK-LABEL: func.func @main
// CHECK-SAME: collective_ns = 2098 : i64, hidden_collective_ns = 1078 : i64
// CHECK: %[[UNDER1:.*]], %[[T1:.*]] = pebble.collective_start all_gather %arg1
// CHECK: linalg.fill
// CHECK: %[[UNDER2:.*]], %[[T2:.*]] = pebble.collective_start all_gather %arg2
// CHECK-NEXT: %[[V:.*]] = pebble.collective_wait %[[T1]] for %[[UNDER1]]
// CHECK-NEXT: linalg.matmul ins(%arg0, %[[V]]
// CHECK: %[[W:.*]] = pebble.collective_wait %[[T2]] for %[[UNDER2]]
// CHECK: linalg.matmul ins({{.*}}, %[[W]]
// LINE: predicted time {{.*}}, collectives 2.10 us, 51.4% of them hidden

// All ranks come to their end, and what passes merge and fold stays as it is.
// RUN: pebble-opt %t.mlir --pebble-verify-messages -o /dev/null
// RUN: pebble-opt %t.mlir -cse -canonicalize | grep -c collective_start | FileCheck %s --check-prefix=TWO
// TWO: 2
// Planned again it is the same.
// RUN: pebble-opt %t.mlir --pebble-schedule="budget=64KiB objective=time" | FileCheck %s

// Without room for a second weight each is gathered where it is used, beside
// what takes no weight.
// RUN: pebble-opt %s --pebble-schedule="budget=min objective=time" | FileCheck %s --check-prefix=LEAST
// LEAST: pebble.collective_start all_gather %arg1
// LEAST: pebble.collective_wait
// LEAST: linalg.matmul
// LEAST: pebble.collective_start all_gather %arg2
// LEAST: pebble.collective_wait
// LEAST: linalg.matmul

// Where time is no objective nobody asks.
// RUN: pebble-opt %s --pebble-schedule="budget=64KiB" | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: collective_start
// PLAIN-COUNT-2: pebble.collective all_gather

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit, bandwidth = 1000000>], speed = 1000000000, topology = <[
    <"node", size = 2, bandwidth = 8000, latency = 25>], ranks = 2>>} {
  func.func @main(%x: tensor<8x64xf32>, %v: tensor<32x64xf32>, %w: tensor<32x64xf32>) -> tensor<8x64xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64x64xf32>
    %whole = pebble.collective all_gather %v into %e group = 2 stride = 1 ranks = 2 : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    %a = tensor.empty() : tensor<8x64xf32>
    %z = linalg.fill ins(%zero : f32) outs(%a : tensor<8x64xf32>) -> tensor<8x64xf32>
    %h = linalg.matmul ins(%x, %whole : tensor<8x64xf32>, tensor<64x64xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
    %e2 = tensor.empty() : tensor<64x64xf32>
    %whole2 = pebble.collective all_gather %w into %e2 group = 2 stride = 1 ranks = 2 : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    %b = tensor.empty() : tensor<8x64xf32>
    %z2 = linalg.fill ins(%zero : f32) outs(%b : tensor<8x64xf32>) -> tensor<8x64xf32>
    %y = linalg.matmul ins(%h, %whole2 : tensor<8x64xf32>, tensor<64x64xf32>) outs(%z2 : tensor<8x64xf32>) -> tensor<8x64xf32>
    return %y : tensor<8x64xf32>
  }
}
