// The bodies of loops and branches are planned as functions are: where the
// order of least peak does not fit, what is inside runs again as well.

// RUN: pebble-opt %s --pebble-schedule="budget-bytes=12416" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pebble-opt %t.mlir -cse -canonicalize --pebble-verify-schedule -o /dev/null
// RUN: pebble-run %s --entry=loop --json=%t.before.json && pebble-run %t.mlir --entry=loop --json=%t.after.json
// RUN: grep sha256 %t.before.json > %t.before && grep sha256 %t.after.json | diff %t.before -
// RUN: FileCheck %s --check-prefix=LOOP --input-file=%t.after.json
// RUN: pebble-run %s --entry=branch --json=%t.before.json && pebble-run %t.mlir --entry=branch --json=%t.after.json
// RUN: grep sha256 %t.before.json > %t.before && grep sha256 %t.after.json | diff %t.before -
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=12000" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LESS

// CHECK-LABEL: func.func @loop
// CHECK-SAME: bound = 153888
// CHECK-SAME: cost = 205088
// CHECK-SAME: peak_bytes = 12416
// CHECK-SAME: status = "feasible"
// CHECK: scf.for
// CHECK: linalg.exp {pebble.name = "a"}
// CHECK: pebble.drop
// CHECK: linalg.exp {pebble.name = "a"}
// CHECK: scf.yield
// CHECK-LABEL: func.func @branch
// CHECK-SAME: status = "feasible"
// CHECK: scf.if
// CHECK: linalg.exp {pebble.name = "a"}
// CHECK: linalg.exp {pebble.name = "a"}

// LOOP: "peak_bytes"
// LOOP-NEXT: "default": 12416
// LOOP: "predicted_peak_bytes"
// LOOP-NEXT: "default": 12416
// LOOP-NOT: predicted_is_bound

// LESS-COUNT-2: error: no schedule {{fits|was found}} {{.*}} of 12000 bytes; the smallest feasible budget {{.*}} 12{{[0-9]+}} bytes

func.func @loop(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<1024xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %i = tensor.extract_slice %x[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %res = scf.for %k = %c0 to %c5 step %c1 iter_args(%acc = %i) -> tensor<16xf32> {
    %a = linalg.exp {pebble.name = "a"} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %a0 = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
    %s = linalg.add ins(%a0, %acc : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
    %b = linalg.broadcast ins(%s : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
    %c = linalg.exp ins(%b : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
    %c2 = linalg.tanh ins(%c : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
    %q0 = tensor.extract_slice %c2[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
    %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
    %r = linalg.add ins(%q0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %r : tensor<16xf32>
  }
  return %res : tensor<16xf32>
}
func.func @branch(%x: tensor<1024xf32>, %p: i1) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %w = tensor.empty() : tensor<64x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %i = tensor.extract_slice %x[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %res = scf.if %p -> tensor<16xf32> {
    %a = linalg.exp {pebble.name = "a"} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %a0 = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
    %b = linalg.broadcast ins(%a0 : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
    %c = linalg.exp ins(%b : tensor<64x16xf32>) outs(%w : tensor<64x16xf32>) -> tensor<64x16xf32>
    %q0 = tensor.extract_slice %c[3, 0] [1, 16] [1, 1] : tensor<64x16xf32> to tensor<16xf32>
    %a1 = tensor.extract_slice %a[16] [16] [1] : tensor<1024xf32> to tensor<16xf32>
    %r = linalg.add ins(%q0, %a1 : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
    scf.yield %r : tensor<16xf32>
  } else {
    scf.yield %i : tensor<16xf32>
  }
  return %res : tensor<16xf32>
}
