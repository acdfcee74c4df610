// RUN: pebble-report %s --json --function=twice | FileCheck %s
// RUN: pebble-report %s --json --function=twice --target=sutro --cache-model=sutro | FileCheck %s --check-prefix=PRICED
// RUN: not pebble-report %s --function=thrice 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not pebble-report %s --target=abacus 2>&1 | FileCheck %s --check-prefix=MACHINE

// What does not apply is null: energies without a hierarchy.

// CHECK: "twice": {
// CHECK-NEXT: "ops": 2,
// CHECK-NEXT: "peak_bytes": {
// CHECK-NEXT:   "default": 192
// CHECK-NEXT: },
// CHECK-NEXT: "energy_fj": null,
// CHECK-NEXT: "energy_fj_total": null,
// CHECK-NEXT: "compute_fj": null,
// CHECK-NEXT: "moved_bytes": {},
// CHECK-NEXT: "ard_bytes": 64,
// CHECK-NEXT: "legal_orders": null,
// CHECK-NEXT: "flow_orders": null,
// CHECK-NEXT: "dependences": {
// CHECK-NEXT:   "flow": 1,
// CHECK-NEXT:   "anti": 0,
// CHECK-NEXT:   "output": 0,
// CHECK-NEXT:   "effect": 0
// CHECK-NEXT: },
// CHECK-NEXT: "cache_model": null,
// CHECK-NEXT: "intermediates_peak_bytes": 128,
// CHECK-NEXT: "constant_bytes": 0,
// CHECK-NEXT: "peak_op": {
// CHECK-NEXT:   "op": "math.exp %b",
// CHECK-NEXT:   "position": 1,
// CHECK-NEXT:   "scratch_bytes": 0
// CHECK-NEXT: },
// CHECK-NEXT: "largest_live": [
// CHECK-NEXT:   {
// CHECK-NEXT:     "name": "%x",
// CHECK-NEXT:     "bytes": 64,
// CHECK-NEXT:     "role": "argument",
// CHECK-NEXT:     "saved": false,
// CHECK-NEXT:     "first": 0,
// CHECK-NEXT:     "last": 1
// CHECK-NOT: "once"

// PRICED: "energy_fj": {
// PRICED-NEXT: "register": 320000,
// PRICED-NEXT: "l1": 0,
// PRICED: "energy_fj_total": 320000,
// PRICED: "cache_model": "sutro"

// RUN: pebble-report %s --json --count-orders --target=eyeriss-65nm | FileCheck %s --check-prefix=COUNTED
// COUNTED: "twice": {
// COUNTED: "compute_fj": {{[1-9][0-9]*}},
// COUNTED: "legal_orders": 1,
// COUNTED-NEXT: "flow_orders": 1,

// UNKNOWN: error: no function is named 'thrice'
// MACHINE: error: there is no machine called 'abacus'; there is 'sutro'

func.func @once(%x: tensor<16xf32>) -> tensor<16xf32> {
  return %x : tensor<16xf32>
}

func.func @twice(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = math.exp %x : tensor<16xf32>
  %b = math.exp %a : tensor<16xf32>
  return %b : tensor<16xf32>
}
