// Without a budget the line is what the tier holds; where that is far above the
// peak it is said beside the tier's name, and would only press the picture flat.
// RUN: rm -rf %t && mkdir %t
// RUN: echo '#pebble.hierarchy<[<"ram", kind = explicit, capacity = 200>]>' > %t/near
// RUN: echo '#pebble.hierarchy<[<"ram", kind = explicit, capacity = 1GiB>]>' > %t/far
// RUN: pebble-report %s --target=%t/near -o %t > /dev/null
// RUN: FileCheck %s --check-prefix=NEAR < %t/step.svg
// RUN: pebble-report %s --target=%t/near --budget=100 -o %t > /dev/null
// RUN: FileCheck %s --check-prefix=BUDGET < %t/step.svg
// RUN: pebble-report %s --target=%t/far -o %t > /dev/null
// RUN: FileCheck %s --check-prefix=FAR < %t/step.svg
// NEAR: >capacity</text>
// NEAR: >ram</text>
// NEAR: >capacity 200 B</text>
// BUDGET: >budget</text>
// BUDGET: >budget 100 B</text>
// BUDGET-NOT: capacity
// FAR-NOT: >capacity
// FAR: >ram, of 1.00 GiB there</text>

func.func @step(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = math.exp %x : tensor<16xf32>
  return %a : tensor<16xf32>
}
