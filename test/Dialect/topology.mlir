// RUN: pebble-opt %s --verify-roundtrip | FileCheck %s
// RUN: pebble-opt %s --emit-bytecode | pebble-opt | FileCheck %s

// CHECK: pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>], compute = 9, topology = <[<"node", size = 2, bandwidth = 450000, latency = 1000>, <"pod", size = 8, bandwidth = 50000, energy = 7>], ranks = 4, places = [0, 2, 1, 7]>>
// CHECK-SAME: some.topology = #pebble.topology<[<"host", size = 1, bandwidth = 1>], ranks = 1>
module attributes {
  pebble.hierarchy = #pebble.hierarchy<[<"hbm", kind = explicit>], topology = <[
    #pebble.group<"node", size = 2, latency = 1000, bandwidth = 450000>,
    <"pod", size = 8, bandwidth = 50000, energy = 7>
  ], ranks = 4, places = [0, 2, 1, 7]>, compute = 9>,
  some.topology = #pebble.topology<[<"host", size = 1, bandwidth = 1>], ranks = 1>
} {}
