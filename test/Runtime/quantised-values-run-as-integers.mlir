// Quantised values are the integers that hold them: they are planned and run, as
// upstream lowers them.
// RUN: pebble-run %s --json=%t.json --output-dir=%t.out 2>&1 | FileCheck %s --check-prefix=AS
// RUN: pebble-opt %s --pebble-schedule=budget=min -o %t.mlir
// RUN: pebble-run %t.mlir --json=%t.planned.json 2>&1 | FileCheck %s --check-prefix=AS
// RUN: grep sha256 %t.json > %t.sum && grep sha256 %t.planned.json | diff - %t.sum
// RUN: pebble-opt %s --pebble-decompose | FileCheck %s
// RUN: mlir-opt %s -lower-quant-ops -strip-func-quant-types -canonicalize -o %t.upstream.mlir
// RUN: pebble-run %t.upstream.mlir --json=%t.upstream.json
// RUN: grep sha256 %t.upstream.json | diff - %t.sum
// RUN: pebble-run %t.mlir --entry=given | FileCheck %s --allow-empty
// RUN: FileCheck %s --check-prefix=GIVEN < %t.mlir

// AS: as predicted
// CHECK-NOT: quant.
// GIVEN: func.func @given(%{{.*}}: tensor<8xi8>
!q = !quant.uniform<i8:f32, 0.125:10>
!w = !quant.uniform<u8:f32:0, {0.5:1, 0.25:2, 0.125:3, 1.0:4}>
func.func @main(%x: tensor<8xf32>, %w: tensor<4x2xf32>) -> (tensor<8xf32>, tensor<4x2xf32>) {
  %q = quant.qcast %x : tensor<8xf32> to tensor<8x!q>
  %s = quant.scast %q : tensor<8x!q> to tensor<8xi8>
  %t = arith.addi %s, %s : tensor<8xi8>
  %u = quant.scast %t : tensor<8xi8> to tensor<8x!q>
  %d = quant.dcast %u : tensor<8x!q> to tensor<8xf32>
  %v = quant.qcast %w : tensor<4x2xf32> to tensor<4x2x!w>
  %e = quant.dcast %v : tensor<4x2x!w> to tensor<4x2xf32>
  return %d, %e : tensor<8xf32>, tensor<4x2xf32>
}
func.func @given(%x: tensor<8x!q>) -> tensor<8xf32> {
  %d = quant.dcast %x : tensor<8x!q> to tensor<8xf32>
  return %d : tensor<8xf32>
}
