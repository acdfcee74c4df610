// A diagonal is filled with zeros. What is beside the diagonal stays what it was, so
// an update of the whole holds more than zero and one, and has no form of one bit.
// RUN: pebble-opt %s --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s
// RUN: sed 's/<(i) -> (i, i)>/<(i, j) -> (i, j)>/; s/\["parallel"\]/["parallel", "parallel"]/' %s | pebble-opt - --pebble-materialize-storage --pebble-print-forms -o /dev/null | FileCheck %s --check-prefix=WHOLE
// RUN: %python %S/../Integration/same-results.py %s -- --pebble-schedule="budget=90%% derived-forms=true"
// CHECK: @main: 0 forms
// WHOLE: @main: 1 form
// WHOLE-NEXT: %g: 512 instead of 16384 bytes
#id = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %e = tensor.empty() : tensor<64x64xi32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xi32>) outs(%e : tensor<64x64xi32>) {
  ^bb0(%i: i32, %o: i32):
    %m = arith.muli %i, %three : i32
    linalg.yield %m : i32
  } -> tensor<64x64xi32>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>], iterator_types = ["parallel"]} outs(%c : tensor<64x64xi32>) {
  ^bb0(%o: i32):
    linalg.yield %zero : i32
  } -> tensor<64x64xi32>
  %g = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<64x64xi32>) {
  ^bb0(%o: i32):
    %place = linalg.index 0 : index
    %number = arith.index_cast %place : index to i32
    %bit = arith.andi %number, %one : i32
    %m = arith.ori %o, %bit : i32
    linalg.yield %m : i32
  } -> tensor<64x64xi32>
  %a = linalg.mul ins(%g, %x : tensor<64x64xi32>, tensor<64x64xi32>) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %b = linalg.mul ins(%a, %x : tensor<64x64xi32>, tensor<64x64xi32>) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %h = linalg.mul ins(%b, %a : tensor<64x64xi32>, tensor<64x64xi32>) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %k = linalg.add ins(%h, %b : tensor<64x64xi32>, tensor<64x64xi32>) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %p = linalg.add ins(%k, %g : tensor<64x64xi32>, tensor<64x64xi32>) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %p : tensor<64x64xi32>
}
