// What passes through a block of a function, or is handed over to it, counts in
// the peak of that block: a budget that the planner accepts is kept by the run,
// and one byte less than the least is refused with the least. All ways that the
// data takes here reach the peak that was foretold.

// RUN: split-file %s %t

// A buffer passes through a block that does not mention it.
// RUN: not pebble-opt %t/through.mlir --pebble-schedule="budget-bytes=12351" -o /dev/null 2>&1 | FileCheck %s --check-prefix=THROUGH
// RUN: pebble-opt %t/through.mlir --pebble-schedule="budget-bytes=12352" --pebble-verify-schedule -o %t/through-planned.mlir
// RUN: grep -o "peak_bytes = [0-9]*" %t/through-planned.mlir | FileCheck %s --check-prefix=THROUGH-PLANNED
// RUN: pebble-run %t/through-planned.mlir --poison --json=%t/through.json --output-dir=%t/through
// RUN: FileCheck %s --check-prefix=THROUGH-METER < %t/through.json
// RUN: %python %S/Inputs/npy.py show %t/through/argument0.npy | FileCheck %s --check-prefix=THROUGH-VALUES
// THROUGH: error: no schedule fits in the budget of 12351 bytes; the smallest feasible budget is 12352 bytes (proven)
// THROUGH: note: its peak is at
// THROUGH-SAME: live, and 4160 bytes around the block
// THROUGH-PLANNED: peak_bytes = 16448
// THROUGH-PLANNED: peak_bytes = 12352
// THROUGH-METER: "peak_bytes": {
// THROUGH-METER-NEXT: "default": 12352
// THROUGH-METER: "predicted_peak_bytes": {
// THROUGH-METER-NEXT: "default": 12352
// THROUGH-METER: "predicted_is_bound": true
// THROUGH-VALUES: f4 (16,) [3.0, 3.0,

// A loop hands a buffer from turn to turn, which is counted once.
// RUN: not pebble-opt %t/loop.mlir --pebble-schedule="budget-bytes=12287" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: pebble-opt %t/loop.mlir --pebble-schedule="budget-bytes=12288" --pebble-verify-schedule -o %t/loop-planned.mlir
// RUN: pebble-run %t/loop-planned.mlir --poison --json=%t/loop.json
// RUN: FileCheck %s --check-prefix=LOOP-METER < %t/loop.json
// LOOP: the smallest feasible budget is 12288 bytes (proven)
// LOOP-METER: "peak_bytes": {
// LOOP-METER-NEXT: "default": 12288
// LOOP-METER: "predicted_peak_bytes": {
// LOOP-METER-NEXT: "default": 12288

// A buffer that goes along by a second name counts once, and until both end.
// RUN: pebble-opt %t/names.mlir --pebble-schedule="budget-bytes=8256" --pebble-verify-schedule -o %t/names-planned.mlir
// RUN: not pebble-opt %t/names.mlir --pebble-schedule="budget-bytes=8255" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: pebble-run %t/names-planned.mlir --poison --json=%t/names.json
// RUN: FileCheck %s --check-prefix=NAMES-METER < %t/names.json
// NAMES: the smallest feasible budget is 8256 bytes (proven)
// NAMES-METER: "peak_bytes": {
// NAMES-METER-NEXT: "default": 8256
// NAMES-METER: "predicted_peak_bytes": {
// NAMES-METER-NEXT: "default": 8256

// What a callee of several blocks takes is the most of one of them with what is
// around it, and its caller's budget counts that.
// RUN: pebble-opt %t/callee.mlir --pebble-schedule="budget-bytes=16448" --pebble-verify-schedule -o %t/callee-planned.mlir
// RUN: not pebble-opt %t/callee.mlir --pebble-schedule="budget-bytes=16447" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CALLEE
// RUN: pebble-run %t/callee-planned.mlir --poison --json=%t/callee.json
// RUN: FileCheck %s --check-prefix=CALLEE-METER < %t/callee.json
// CALLEE: 16448 bytes
// CALLEE-METER: "peak_bytes": {
// CALLEE-METER-NEXT: "default": 16448
// CALLEE-METER: "predicted_peak_bytes": {
// CALLEE-METER-NEXT: "default": 16448

// One way returns what it was given, another what it made: the caller gets a
// copy of the one, which is foretold.
// RUN: pebble-run %t/returned.mlir --poison --json=%t/returned.json
// RUN: FileCheck %s --check-prefix=RETURNED < %t/returned.json
// RETURNED: "peak_bytes": {
// RETURNED-NEXT: "default": 3072
// RETURNED: "predicted_peak_bytes": {
// RETURNED-NEXT: "default": 3072

// A donated argument that a later block reads is not written over before.
// RUN: pebble-run %t/donated.mlir --poison --json=%t/donated.json --output-dir=%t/donated
// RUN: FileCheck %s --check-prefix=DONATED < %t/donated.json
// RUN: %python %S/Inputs/npy.py show %t/donated/result0.npy | FileCheck %s --check-prefix=ZEROS
// DONATED: "peak_bytes": {
// DONATED-NEXT: "default": 192
// DONATED: "predicted_peak_bytes": {
// DONATED-NEXT: "default": 256
// ZEROS: f4 (4,) [0.0, 0.0, 0.0, 0.0]

//--- through.mlir
func.func @main(%out: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %yes = arith.constant true
  %held = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%held : memref<1024xf32>)
  cf.cond_br %yes, ^then, ^done(%one : f32)
^then:
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<1024xf32>)
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<1024xf32>)
  %c = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%c : memref<1024xf32>)
  %v = memref.load %c[%c0] : memref<1024xf32>
  linalg.add ins(%a, %b : memref<1024xf32>, memref<1024xf32>) outs(%a : memref<1024xf32>)
  %w = memref.load %a[%c0] : memref<1024xf32>
  %s = arith.subf %w, %v : f32
  cf.br ^done(%s : f32)
^done(%x: f32):
  %h = memref.load %held[%c0] : memref<1024xf32>
  %sum = arith.addf %x, %h : f32
  linalg.fill ins(%sum : f32) outs(%out : memref<16xf32>)
  return
}
//--- loop.mlir
func.func @main() -> memref<1024xf32> {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %first = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%first : memref<1024xf32>)
  cf.br ^head(%c0, %first : index, memref<1024xf32>)
^head(%i: index, %x: memref<1024xf32>):
  %more = arith.cmpi slt, %i, %c4 : index
  cf.cond_br %more, ^body, ^done
^body:
  %ones = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%ones : memref<1024xf32>)
  %next = memref.alloc() : memref<1024xf32>
  linalg.add ins(%x, %ones : memref<1024xf32>, memref<1024xf32>) outs(%next : memref<1024xf32>)
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %next : index, memref<1024xf32>)
^done:
  return %x : memref<1024xf32>
}
//--- names.mlir
func.func @main(%out: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %held = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%held : memref<1024xf32>)
  cf.br ^more(%held : memref<1024xf32>)
^more(%x: memref<1024xf32>):
  %a = memref.alloc() : memref<1024xf32>
  linalg.add ins(%x, %held : memref<1024xf32>, memref<1024xf32>) outs(%a : memref<1024xf32>)
  %v = memref.load %a[%c0] : memref<1024xf32>
  cf.br ^pass
^pass:
  cf.br ^last
^last:
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<1024xf32>)
  %w = memref.load %b[%c0] : memref<1024xf32>
  %h = memref.load %x[%c0] : memref<1024xf32>
  %sum = arith.addf %w, %h : f32
  linalg.fill ins(%sum : f32) outs(%out : memref<16xf32>)
  return
}
//--- callee.mlir
func.func private @sums(%out: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %yes = arith.constant true
  %held = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%held : memref<1024xf32>)
  cf.cond_br %yes, ^then, ^else
^then:
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<1024xf32>)
  %v = memref.load %a[%c0] : memref<1024xf32>
  cf.br ^done(%v : f32)
^else:
  %b = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<1024xf32>)
  %w = memref.load %b[%c0] : memref<1024xf32>
  cf.br ^done(%w : f32)
^done(%x: f32):
  %h = memref.load %held[%c0] : memref<1024xf32>
  %sum = arith.addf %x, %h : f32
  linalg.fill ins(%sum : f32) outs(%out : memref<16xf32>)
  return
}
func.func @main(%out: memref<16xf32>, %in: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %mine = memref.alloc() : memref<1024xf32>
  linalg.copy ins(%in : memref<1024xf32>) outs(%mine : memref<1024xf32>)
  func.call @sums(%out) : (memref<16xf32>) -> ()
  %v = memref.load %mine[%c0] : memref<1024xf32>
  memref.store %v, %out[%c0] : memref<16xf32>
  return
}
//--- returned.mlir
func.func @main(%t: tensor<256xf32>) -> tensor<256xf32> {
  %one = arith.constant 1.0 : f32
  %no = arith.constant false
  cf.cond_br %no, ^given, ^made
^given:
  cf.br ^join(%t : tensor<256xf32>)
^made:
  %e = tensor.empty() : tensor<256xf32>
  %new = linalg.fill ins(%one : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  cf.br ^join(%new : tensor<256xf32>)
^join(%r: tensor<256xf32>):
  return %r : tensor<256xf32>
}
//--- donated.mlir
func.func @main(%t: tensor<4xf32> {pebble.donated}) -> tensor<4xf32> {
  %twice = linalg.add ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^next
^next:
  %e = tensor.empty() : tensor<4xf32>
  %once = linalg.sub ins(%twice, %t : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = tensor.empty() : tensor<4xf32>
  %none = linalg.sub ins(%once, %t : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %none : tensor<4xf32>
}
