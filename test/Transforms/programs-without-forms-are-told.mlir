// Who asks for forms and gets none is told what has some.
// RUN: pebble-opt --quiet %s --pebble-schedule="budget=100%% derived-forms=true" --remarks-filter-missed=pebble-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefixes=SMALLER
// RUN: pebble-opt --quiet %s --pebble-schedule="budget=100%% inversion=true" --remarks-filter-missed=pebble-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefixes=BACK
// RUN: pebble-opt --quiet %s --pebble-schedule="budget=100%%" --remarks-filter-missed=pebble-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefixes=NEITHER --allow-empty
// SMALLER: no value of 'main' has a smaller form: linalg's operations on tensors of known shape may have one, if their value is read late
// BACK: no value of 'main' has a way to come back
// NEITHER-NOT: no value of
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %m = "stablehlo.compare"(%x, %x) {comparison_direction = "GT"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xi1>
  %a = "stablehlo.exponential"(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %b = "stablehlo.tanh"(%a) : (tensor<64xf32>) -> tensor<64xf32>
  %c = "stablehlo.exponential"(%b) : (tensor<64xf32>) -> tensor<64xf32>
  %d = "stablehlo.select"(%m, %c, %x) : (tensor<64xi1>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %d : tensor<64xf32>
}
