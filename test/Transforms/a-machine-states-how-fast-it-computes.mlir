// Without a measurement an operation takes as long as its arithmetic at the
// speed of the machine, or its accesses at the bandwidth of the compute tier,
// whichever take longer. What is not stated takes no time; with neither there
// is none to be had, which names the tier.
// RUN: echo '#pebble.hierarchy<[<"ram", kind = explicit, bandwidth = 1000, latency = 10>], speed = 1000000000>' > %t.both
// RUN: echo '#pebble.hierarchy<[<"ram", kind = explicit>], speed = 1000000000>' > %t.speed
// RUN: echo '#pebble.hierarchy<[<"ram", kind = explicit, bandwidth = 1000, latency = 10>]>' > %t.bandwidth
// RUN: echo '#pebble.hierarchy<[<"ram", kind = explicit>]>' > %t.neither
// RUN: pebble-opt %s --target=%t.both --pebble-schedule="budget=100%% objective=time" | FileCheck %s --check-prefix=BOTH
// RUN: pebble-opt %s --target=%t.speed --pebble-schedule="budget=100%% objective=time" | FileCheck %s --check-prefix=SPEED
// RUN: pebble-opt %s --target=%t.bandwidth --pebble-schedule="budget=100%% objective=time" | FileCheck %s --check-prefix=BANDWIDTH
// RUN: not pebble-opt %s --target=%t.neither --pebble-schedule="budget=100%% objective=time" 2>&1 | FileCheck %s --check-prefix=NEITHER
// RUN: not pebble-opt %s --pebble-schedule="budget=100%% objective=time" 2>&1 | FileCheck %s --check-prefix=DEFAULT
// A file that misspells it is told what there is, and a speed below nothing is
// none.
// RUN: echo '#pebble.hierarchy<[<"ram", kind = explicit>], sped = 1>' > %t.sped
// RUN: echo '#pebble.hierarchy<[<"a", kind = explicit, latency = 9223372036854775807>]>' > %t.late
// RUN: not pebble-opt %s --target=%t.late 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: error: '{{.*}}.late' holds no hierarchy: line 1: 'latency' is a whole number of nanoseconds of 0 or more, at most 10^15
// RUN: not pebble-opt %s --target=%t.sped 2>&1 | FileCheck %s --check-prefix=SPED
// RUN: echo 'module attributes {pebble.hierarchy = #pebble.hierarchy<[<"ram", kind = explicit>], speed = -1>} {}' > %t.mlir
// RUN: not pebble-opt %t.mlir 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: pebble-opt --list-targets | FileCheck %s --check-prefix=LIST

// The product is 524,288 operations, and four accesses of 16,384 bytes; abs is
// 4,096 operations, and two.
// BOTH: speed = 1000000000
// BOTH: pebble.result = {bound = 557076 : i64, cost = 557076 : i64
// SPEED: cost = 528384 : i64
// BANDWIDTH: cost = 98364 : i64
// NEITHER: error: a time objective needs a pebble.cost here, or a memory hierarchy whose compute tier has a bandwidth or which has a speed, or measured costs (--costs); tier 'ram' has no bandwidth
// DEFAULT: error: a time objective needs {{.*}}; tier 'default' has no bandwidth
// SPED: the hierarchy has no 'sped', but inclusion, compute, speed, name
// NEGATIVE: error: [D4] the hierarchy has speed = -1, which may not be negative
// LIST: speed in arithmetic operations per second
// LIST: poet-m4f
// LIST: speed = 6369910

func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32> {pebble.donated}) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.abs ins(%p : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}
