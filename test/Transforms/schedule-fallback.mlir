// A plan of dynamic dimensions rests on a bound. Where the data is larger, the
// leanest schedule of the module runs instead, with equal results, and a line
// says so. (Canonicalized, or sizes are read from empty tensors, and those would
// be metered.)

// RUN: pebble-opt %s --pebble-schedule="budget-percent=95 dim-bound=64" --canonicalize -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pebble-opt %t.mlir --cse --pebble-verify-schedule="dim-bound=64" | FileCheck %s

// RUN: pebble-opt %t.mlir --symbol-dce | FileCheck %s --check-prefix=DCE
// DCE: func.func private @main.leanest

// One of the two is made again within the budget, both for the least peak.
// CHECK-LABEL: func.func @main
// CHECK-SAME: pebble.fallback = {dim_bound = 64 : i64, function = @main.leanest}
// CHECK-SAME: input_peak_bytes = 2816 : i64, peak_bytes = 2560 : i64
// CHECK-LABEL: func.func private @main.leanest
// CHECK-NOT: pebble.fallback
// CHECK-SAME: input_peak_bytes = 2816 : i64, peak_bytes = 2304 : i64
// CHECK-LABEL: func.func private @nobody_decides
// CHECK-NOT: pebble.fallback
// CHECK-NOT: leanest

// Planned again, there is one fallback still, and none where what came in fits.
// RUN: pebble-opt %s --pebble-schedule="budget-percent=95 dim-bound=64" --pebble-schedule="budget-percent=100 dim-bound=64" | FileCheck %s --check-prefix=AGAIN
// AGAIN-NOT: leanest

// What is the leanest itself runs whatever the data.
// RUN: pebble-opt %s --pebble-schedule="budget-percent=85 dim-bound=64" --canonicalize -o %t.lean.mlir
// RUN: FileCheck %s --check-prefix=SELF --input-file=%t.lean.mlir
// SELF: pebble.fallback = {dim_bound = 64 : i64, function = @main}
// SELF-NOT: leanest

// RUN: %python -c "print(','.join(str(i / 7) for i in range(64)))" > %t.64
// RUN: %python -c "print(','.join(str(i / 7) for i in range(96)))" > %t.96
// RUN: cat %t.64 | xargs %python %S/../Runtime/Inputs/npy.py write %t.64.npy f4 64
// RUN: cat %t.96 | xargs %python %S/../Runtime/Inputs/npy.py write %t.96.npy f4 96

// Within the bound the plan runs and takes what it said.
// RUN: pebble-run %s --input=0:%t.64.npy --pebble-dim-bound=64 --json=%t.before.json
// RUN: pebble-run %t.mlir --input=0:%t.64.npy --quiet --json=%t.json 2>&1 | count 0
// RUN: FileCheck %s --check-prefix=WITHIN --input-file=%t.json
// RUN: grep sha256 %t.before.json > %t.before.sha
// RUN: grep sha256 %t.json > %t.sha
// RUN: cmp %t.before.sha %t.sha
// WITHIN: "peak_bytes": {
// WITHIN-NEXT: "default": 2560
// WITHIN: "predicted_peak_bytes": {
// WITHIN-NEXT: "default": 2560

// Above it the leanest does, whatever the command line takes the size for.
// RUN: pebble-run %s --input=0:%t.96.npy --pebble-dim-bound=96 --json=%t.before.json
// RUN: pebble-run %t.mlir --input=0:%t.96.npy --json=%t.json 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: FileCheck %s --check-prefix=ABOVE --input-file=%t.json
// RUN: grep sha256 %t.before.json > %t.before.sha
// RUN: grep sha256 %t.json > %t.sha
// RUN: cmp %t.before.sha %t.sha
// RUN: pebble-run %t.mlir --input=0:%t.96.npy --pebble-dim-bound=64 --json=%t.json 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: FileCheck %s --check-prefix=ABOVE --input-file=%t.json
// RUN: pebble-run %t.lean.mlir --input=0:%t.96.npy --json=%t.json 2>&1 | FileCheck %s --check-prefix=NOTE-SELF
// RUN: FileCheck %s --check-prefix=ABOVE --input-file=%t.json
// NOTE: pebble runtime: note: a dimension of 96 is over the bound of 64 that the plan of 'main' rests on: running the leanest, 'main.leanest'
// NOTE-SELF: over the bound of 64 that the plan of 'main' rests on: running the leanest, 'main'
// ABOVE: "peak_bytes": {
// ABOVE-NEXT: "default": 3456
// ABOVE: "predicted_peak_bytes": {
// ABOVE-NEXT: "default": 3456

// A name that leads nowhere is an error.
// RUN: sed 's/function = @main.leanest/function = @nobody_decides/' %t.mlir > %t.bad.mlir
// RUN: not pebble-run %t.bad.mlir --input=0:%t.64.npy 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: 'pebble.fallback' names 'nobody_decides', which is no function of the same type
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %w = tensor.empty(%n) : tensor<4x?xf32>
  %a = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %b = linalg.tanh ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %t = linalg.broadcast ins(%s : tensor<?xf32>) outs(%w : tensor<4x?xf32>) dimensions = [0]
  %u = linalg.abs ins(%t : tensor<4x?xf32>) outs(%w : tensor<4x?xf32>) -> tensor<4x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %v = linalg.reduce { arith.addf } ins(%u : tensor<4x?xf32>) outs(%f : tensor<?xf32>) dimensions = [0]
  %p = linalg.mul ins(%v, %a : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.sub ins(%p, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// No caller outside of the module can decide.
func.func private @nobody_decides(%x: tensor<?xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %b = linalg.abs ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %a_low = tensor.extract_slice %a[0] [16] [1] : tensor<?xf32> to tensor<16xf32>
  %b_low = tensor.extract_slice %b[0] [16] [1] : tensor<?xf32> to tensor<16xf32>
  %c = linalg.negf ins(%a_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %d = linalg.negf ins(%b_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.add ins(%c, %d : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
