// An op without a cost model is taken to cost its bytes, and is named; one whose
// cost the user gives is not.
// RUN: pebble-opt %s --pebble-order-operations="pure=my" --remarks-filter=pebble-order-operations -o /dev/null 2>&1 | FileCheck %s
// CHECK: [[@LINE+4]]:{{.*}}remark: [Missed] cost
// CHECK-SAME: my.op
// CHECK-NOT: [Missed] cost
func.func @known_and_unknown(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "my.op"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = "my.op"(%a) {pebble.cost = 7} : (tensor<16xf32>) -> tensor<16xf32>
  return %b : tensor<16xf32>
}
