// A plan that was saved is applied again where the program is the same, and the
// solvers start from it where it has changed.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=16500 save-plan=%t.plan" -o %t.first.mlir
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=16500 plan=%t.plan save-plan=%t.again.plan" -o %t.second.mlir
// RUN: cmp %t.first.mlir %t.second.mlir && cmp %t.plan %t.again.plan
//
// A program with another constant and one operation more.
// RUN: sed 's/0.25/0.5/; s/tensor.cast %%s0 : tensor<16xf32> to/linalg.exp ins(%%s0 : tensor<16xf32>) outs(%%n : tensor<16xf32>) ->/' %s > %t.changed.mlir
// RUN: pebble-opt %t.changed.mlir --pebble-schedule="budget-bytes=16500 plan=%t.plan" --pebble-verify-schedule | FileCheck %s
//
// A plan of a smaller budget is a start for a larger one, no more: now an order
// fits.
// RUN: pebble-opt %s --pebble-schedule="budget-bytes=99999 plan=%t.plan" | FileCheck %s --check-prefix=LARGER
//
// A file of plans that holds none is an error that says why.
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=16500 plan=%t.none" 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: echo '{"format": "pebble-plan", "version": 2}' > %t.bad && not pebble-opt %s --pebble-schedule="budget-bytes=16500 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: echo '[' > %t.bad && not pebble-opt %s --pebble-schedule="budget-bytes=16500 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: sed 's/^    7$/    700/' %t.plan > %t.bad && not pebble-opt %s --pebble-schedule="budget-bytes=16500 plan=%t.bad" 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=16500 save-plan=%t.none/plan" 2>&1 | FileCheck %s --check-prefix=WRITE
//
// A schedule that breaks a rule is not believed because it stands in a file.
// RUN: sed 's/^    2,$/    5,/' %t.plan > %t.wrong && pebble-opt %s --pebble-schedule="budget-bytes=16500 plan=%t.wrong" --pebble-verify-schedule | FileCheck %s

// MISSING: error: cannot read the plan '{{.*}}none'
// VERSION: error: '{{.*}}bad' holds no plans: it is not of the format 'pebble-plan', version 1
// JSON: error: '{{.*}}bad' holds no plans:
// INDEX: error: '{{.*}}bad' holds no plans: a run is the index of a step
// WRITE: error: cannot write the plan '{{.*}}plan'

// LARGER: solver = "given"

// CHECK-LABEL: func @main
// CHECK-SAME: input_peak_bytes = 20{{[0-9]+}} : i64, peak_bytes = 16{{[0-9]+}} : i64
func.func @main(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %q = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<1024xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %k = linalg.fill ins(%q : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a = linalg.powf ins(%x, %k : tensor<1024xf32>, tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a0 = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %b0 = tensor.extract_slice %b[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %s0 = linalg.add ins(%a0, %b0 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %s = tensor.cast %s0 : tensor<16xf32> to tensor<16xf32>
  %m = linalg.broadcast ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  %c = linalg.exp ins(%m : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
  %c0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
  %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %b1 = tensor.extract_slice %b[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %r = linalg.add ins(%c0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %t = linalg.add ins(%r, %b1 : tensor<16xf32>, tensor<16xf32>) outs(%r : tensor<16xf32>) -> tensor<16xf32>
  return %t : tensor<16xf32>
}
