// What ranks do together costs what the topology says: here an all-reduce of
// 4,096 bytes of 4 ranks by halving, twice two rounds of 100 ns, and three
// quarters of the bytes at one a nanosecond there and back. The additions take
// one nanosecond.
// RUN: pebble-opt %s --pebble-schedule="budget=100%% objective=time" | FileCheck %s
// RUN: sed 's/ranks = 4>/ranks = 2>/' %s | not pebble-opt --pebble-schedule="budget=100%% objective=time" 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: error: 'pebble.collective' op is for 4 ranks, but the topology of the machine has 2
// CHECK: cost = 6545
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>], speed = 1000000000000000, topology = <[
    <"node", size = 4, bandwidth = 1000, latency = 100>], ranks = 4>>} {
  func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %y = pebble.collective all_reduce %x into %e group = 4 stride = 1 ranks = 4 : tensor<1024xf32>, tensor<1024xf32> -> tensor<1024xf32>
    return %y : tensor<1024xf32>
  }
}
