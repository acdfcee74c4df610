// A form, or an inverse, is written in operations of dialects that the program may
// have nothing of.
// RUN: pebble-opt %s --pebble-print-forms -o /dev/null | FileCheck %s
// RUN: pebble-opt %s --pebble-verify-schedule --pebble-print-dependences -o /dev/null | FileCheck %s --check-prefix=DEPENDENCES
// CHECK: @main: {{[0-9]+}} form
// DEPENDENCES: dependences of @main
func.func @main(%a: tensor<64xi1>, %b: tensor<64xi32>, %u: tensor<64xi32>) -> tensor<64xi32> {
  %c = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%a : tensor<64xi1>) outs(%a : tensor<64xi1>) {
  ^bb0(%x: i1, %o: i1):
    linalg.yield %x : i1
  } -> tensor<64xi1>
  %d = linalg.add ins(%b, %u : tensor<64xi32>, tensor<64xi32>) outs(%b : tensor<64xi32>) -> tensor<64xi32>
  %e = linalg.add ins(%d, %b : tensor<64xi32>, tensor<64xi32>) outs(%b : tensor<64xi32>) -> tensor<64xi32>
  %f = linalg.select ins(%c, %d, %e : tensor<64xi1>, tensor<64xi32>, tensor<64xi32>) outs(%b : tensor<64xi32>) -> tensor<64xi32>
  return %f : tensor<64xi32>
}
