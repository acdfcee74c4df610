// Remarks wait until all blocks of a function have an order.
// RUN: not pebble-opt %s --pebble-order-operations="objective=peak peak-limit-bytes=1000" --remarks-filter=pebble-order-operations -o /dev/null 2>&1 | FileCheck %s
// RUN: pebble-opt %s --pebble-order-operations="objective=peak" --remarks-filter=pebble-order-operations -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEPT
// CHECK-NOT: remark
// CHECK: error: no order keeps the peak within 1000 bytes
// KEPT: remark: {{.*}}the peak is at

func.func @two(%x: tensor<16xf32>) -> tensor<64x16xf32> {
  %n = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  cf.br ^wide(%a : tensor<16xf32>)
^wide(%b: tensor<16xf32>):
  %w = tensor.empty() : tensor<64x16xf32>
  %c = linalg.broadcast ins(%b : tensor<16xf32>) outs(%w : tensor<64x16xf32>) dimensions = [0]
  return %c : tensor<64x16xf32>
}
