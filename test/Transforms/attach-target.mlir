// RUN: pebble-opt %s --pebble-attach-target="preset=sutro" | FileCheck %s --check-prefix=SUTRO
// RUN: pebble-opt %s --pebble-target=sutro | FileCheck %s --check-prefix=SUTRO
// RUN: pebble-opt %s --pebble-target=red-blue | FileCheck %s --check-prefix=REDBLUE
// RUN: pebble-opt %s --pebble-target=eyeriss-65nm | FileCheck %s --check-prefix=EYERISS
// RUN: pebble-opt %s --pebble-target=poet-m4f | FileCheck %s --check-prefix=POET
// RUN: pebble-opt %s --pebble-target=poet-rpi | FileCheck %s --check-prefix=POETPI
// RUN: pebble-opt %s --pebble-target=poet-m0 | FileCheck %s --check-prefix=POETM0
// RUN: pebble-opt %s --pebble-target=poet-rpi-nocache | FileCheck %s --check-prefix=UNCACHED
// RUN: pebble-opt %s --pebble-target=cachegrind-64k-256k | FileCheck %s --check-prefix=CACHEGRIND
// RUN: pebble-opt %s --pebble-target=h100-approx | FileCheck %s --check-prefix=H100
// RUN: pebble-opt %s --pebble-target=host | FileCheck %s --check-prefix=HOST
// RUN: pebble-opt %s --pebble-target=host-3 | FileCheck %s --check-prefix=PROCESSES
// RUN: pebble-opt %s --pebble-target=h100-node | FileCheck %s --check-prefix=NODE
// RUN: pebble-opt %s --pebble-target=h100-pod | FileCheck %s --check-prefix=POD
// RUN: not pebble-opt %s --pebble-target=h100 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pebble-opt %s --pebble-attach-target 2>&1 | FileCheck %s --check-prefix=UNNAMED

// The tool's option comes before the passes, so the pass has the last word.
// RUN: pebble-opt %s --pebble-target=sutro --pebble-attach-target="preset=red-blue" | FileCheck %s --check-prefix=REDBLUE
// RUN: pebble-opt %s --pebble-target=sutro --pass-pipeline="builtin.module(pebble-attach-target{preset=red-blue})" | FileCheck %s --check-prefix=REDBLUE

// SUTRO: pebble.hierarchy = #pebble.hierarchy<[<"register", kind = cache, capacity = 256, read = 1250, write = 1250>, <"l1", kind = cache, capacity = 65536, read = 5000, write = 5000>, <"l2", kind = cache, capacity = 262144, read = 25000, write = 25000>, <"hbm", kind = explicit, read = 160000, write = 160000>], name = "sutro">
// REDBLUE: module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit, read = 1, write = 1>, <"blue", kind = explicit, read = 100, write = 100>], name = "red-blue">}
// EYERISS: <"rf", kind = cache, capacity = 512, read = 500, write = 500>, <"array", kind = cache, capacity = 86016, read = 1000, write = 1000>, <"buffer", kind = cache, capacity = 110592, read = 3000, write = 3000>, <"dram", kind = explicit, read = 100000, write = 100000>], compute = 500, name = "eyeriss-65nm">
// POET: <"ram", kind = explicit, capacity = 262144>, <"sd", kind = explicit, read = 71482570, write = 74324324, bandwidth = 4, latency = 113000>], compute = 1724106, speed = 6369910, name = "poet-m4f">
// POETPI: <"ram", kind = explicit>, <"sd", kind = explicit, read = 3296703, write = 6122449, bandwidth = 24, latency = 19000>], compute = 24927839, speed = 120347376, name = "poet-rpi">
// POETM0: <"ram", kind = explicit, capacity = 32768>, <"sd", kind = explicit, read = 71482570, write = 74324324, bandwidth = 4, latency = 113000>], compute = 396000000, speed = 166666, name = "poet-m0">
// UNCACHED: <"ram", kind = explicit>, <"sd", kind = explicit, read = 3296703, write = 8771930, bandwidth = 17, latency = 4235320>], compute = 24927839, speed = 120347376, name = "poet-rpi-nocache">
// CACHEGRIND: <"d1", kind = cache, capacity = 65536, read = 5000, write = 5000>, <"ll", kind = cache, capacity = 262144, read = 25000, write = 25000>, <"memory", kind = explicit, read = 160000, write = 160000>], inclusion = inclusive, name = "cachegrind-64k-256k">
// H100: <"hbm", kind = explicit, capacity = 85899345920
// H100-SAME: name = "h100-approx"
// HOST: <"ram", kind = explicit, capacity = {{[0-9]+}}, read = 162500, write = 162500>, <"disk", kind = explicit, read = 1250000, write = 2500000>], inclusion = inclusive, compute = 2300, name = "host">
// PROCESSES: name = "host-3", topology = <[<"host", size = 3, bandwidth = 6400, latency = 500, energy = 650000>], ranks = 3>>
// NODE: name = "h100-node", topology = <[<"node", size = 8, bandwidth = 450000, latency = 1000, energy = 20800>], ranks = 8>>
// POD: <"node", size = 8, bandwidth = 450000, latency = 1000, energy = 20800>, <"pod", size = 256, bandwidth = 50000, latency = 5000, energy = 1500000>], ranks = 256>>
// UNKNOWN: attach-target.mlir:[[# @LINE + 2]]:1: error: there is no machine called 'h100'; there is 'sutro', 'red-blue', 'eyeriss-65nm', 'poet-m4f', 'poet-rpi', 'poet-m0', 'poet-rpi-nocache', 'host', 'cachegrind-64k-256k', 'h100-approx'
// UNNAMED: error: no machine is named; there is 'sutro'
module {}
