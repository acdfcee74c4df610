// RUN: split-file %s %t
// RUN: pebble-report %t/before.mlir %t/after.mlir --target=sutro | FileCheck %s
// RUN: pebble-report %t/before.mlir %t/after.mlir --target=sutro --json | FileCheck %s --check-prefix=JSON
// RUN: pebble-report %t/before.mlir %t/after.mlir --target=sutro -o %t/out > /dev/null
// RUN: %python %S/Inputs/check_output.py %t/out/step.svg %t/out/step.trace.json %t/out/step.before.trace.json
// RUN: FileCheck %s --check-prefix=PICTURE < %t/out/step.svg

// Ops are matched by what they compute, not by name or place: %c moved up, and
// %a is computed again where it is needed again.

// CHECK: @step
// CHECK-NEXT: before {{ *}}after {{ *}}change
// CHECK-NEXT: ops {{ *}}5 {{ *}}6 {{ *}}+1 {{ *}}+20.0%
// CHECK-NEXT: peak in hbm {{ *}}2,240 B {{ *}}1,216 B {{ *}}-1,024 B {{ *}}-45.7%
// CHECK: moved (1): t.c c{{$}}
// CHECK-NEXT: recomputed (1): t.a again{{$}}
// CHECK-NEXT: largest values, made again: a (1,024 B)
// CHECK-NEXT: largest values, kept: b (1,024 B), c (64 B), d (64 B), e (64 B)
// CHECK-NEXT: served by another tier

// JSON: "step": {
// JSON-NEXT: "before": {
// JSON: "after": {
// JSON: "change": {
// JSON-NEXT: "ops": 1,
// JSON-NEXT: "peak_bytes": {
// JSON-NEXT:   "hbm": -1024
// JSON: "moved_ops": [
// JSON-NEXT:   {
// JSON-NEXT:     "op": "t.c c",
// JSON-NEXT:     "from": 2,
// JSON-NEXT:     "to": 1
// JSON: "recomputed_ops": [
// JSON-NEXT:   {
// JSON-NEXT:     "op": "t.a again",
// JSON: "added_ops": [],
// JSON-NEXT: "removed_ops": [],
// JSON-NEXT: "tier_changes": [

// PICTURE: peak 2,240 B → 1,216 B (-45.7%)
// PICTURE: >hbm, before</text>
// PICTURE: <title>t.c c: step 2 to 1</title>
// PICTURE: >hbm, after</text>

//--- before.mlir
func.func @step(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "t.a"(%x) {pebble.name = "a"} : (tensor<16xf32>) -> tensor<256xf32>
  %b = "t.b"(%x) {pebble.name = "b"} : (tensor<16xf32>) -> tensor<256xf32>
  %c = "t.c"(%a) {pebble.name = "c"} : (tensor<256xf32>) -> tensor<16xf32>
  %d = "t.d"(%b, %c) {pebble.name = "d"} : (tensor<256xf32>, tensor<16xf32>) -> tensor<16xf32>
  %e = "t.e"(%a, %d) {pebble.name = "e"} : (tensor<256xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %e : tensor<16xf32>
}

//--- after.mlir
func.func @step(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = "t.a"(%x) {pebble.name = "a"} : (tensor<16xf32>) -> tensor<256xf32>
  %1 = "t.c"(%0) {pebble.name = "c"} : (tensor<256xf32>) -> tensor<16xf32>
  %2 = "t.b"(%x) {pebble.name = "b"} : (tensor<16xf32>) -> tensor<256xf32>
  %3 = "t.d"(%2, %1) {pebble.name = "d"} : (tensor<256xf32>, tensor<16xf32>) -> tensor<16xf32>
  %4 = pebble.opaque %x : tensor<16xf32>
  %5 = "t.a"(%4) {pebble.name = "again"} : (tensor<16xf32>) -> tensor<256xf32>
  %6 = "t.e"(%5, %3) {pebble.name = "e"} : (tensor<256xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %6 : tensor<16xf32>
}
