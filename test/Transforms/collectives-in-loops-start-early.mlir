// In a loop that all ranks run as often, a collective starts early in its round and
// is waited for late in it, within what the function leaves of the budget there. The
// results are those of the program that came in.
// RUN: pebble-opt %s --pebble-schedule="budget=128KiB objective=time" --pebble-verify-messages -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// CHECK: scf.for
// CHECK: %[[U1:.*]], %[[T1:.*]] = pebble.collective_start all_gather %arg1
// CHECK: %[[U2:.*]], %[[T2:.*]] = pebble.collective_start all_gather %arg2
// CHECK: %[[V:.*]] = pebble.collective_wait %[[T1]] for %[[U1]]
// CHECK-NEXT: linalg.matmul ins({{.*}}, %[[V]]
// CHECK: %[[W:.*]] = pebble.collective_wait %[[T2]] for %[[U2]]
// CHECK: linalg.matmul ins({{.*}}, %[[W]]
// CHECK: scf.yield
// RUN: pebble-opt %t.mlir -cse -canonicalize --pebble-verify-messages | grep -c collective_start | FileCheck %s --check-prefix=TWO
// TWO: 2

// Not without room for both weights.
// RUN: pebble-opt %s --pebble-schedule="budget=min objective=time" | FileCheck %s --check-prefix=LEAST
// LEAST: pebble.collective{{.*}} all_gather %arg1
// LEAST: linalg.matmul
// LEAST: pebble.collective{{.*}} all_gather %arg2
// LEAST: linalg.matmul

// Nor where each rank may run the loop another number of times.
// RUN: sed 's/to %c4 step/to %n step/' %s | pebble-opt --pebble-schedule="budget=128KiB objective=time" | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN-NOT: collective_start

module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit, bandwidth = 1000000>], speed = 1000000000, topology = <[
    <"node", size = 2, bandwidth = 800, latency = 25>], ranks = 2>>} {
  func.func @main(%x: tensor<8x64xf32>, %v: tensor<32x64xf32>, %w: tensor<32x64xf32>, %n: index) -> tensor<8x64xf32> {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %x) -> tensor<8x64xf32> {
      %e = tensor.empty() : tensor<64x64xf32>
      %whole = pebble.collective all_gather %v into %e group = 2 stride = 1 ranks = 2 : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
      %a = tensor.empty() : tensor<8x64xf32>
      %z = linalg.fill ins(%zero : f32) outs(%a : tensor<8x64xf32>) -> tensor<8x64xf32>
      %h = linalg.matmul ins(%s, %whole : tensor<8x64xf32>, tensor<64x64xf32>) outs(%z : tensor<8x64xf32>) -> tensor<8x64xf32>
      %e2 = tensor.empty() : tensor<64x64xf32>
      %whole2 = pebble.collective all_gather %w into %e2 group = 2 stride = 1 ranks = 2 : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
      %b = tensor.empty() : tensor<8x64xf32>
      %z2 = linalg.fill ins(%zero : f32) outs(%b : tensor<8x64xf32>) -> tensor<8x64xf32>
      %y = linalg.matmul ins(%h, %whole2 : tensor<8x64xf32>, tensor<64x64xf32>) outs(%z2 : tensor<8x64xf32>) -> tensor<8x64xf32>
      scf.yield %y : tensor<8x64xf32>
    }
    return %r : tensor<8x64xf32>
  }
}
