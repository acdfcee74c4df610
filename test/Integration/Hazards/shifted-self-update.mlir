// A tensor is shifted into itself: written in place it would read what it has
// just written.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// CHECK: before: peak 128{{$}}
// CHECK-NEXT: after: peak 128{{$}}
// EXPECT: 1
// EXPECT: 3
func.func @main() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %one = arith.constant dense<0> : tensor<4xi32>
  %base = arith.addi %t, %one : tensor<4xi32>
  %v = tensor.extract_slice %base[0] [3] [1] : tensor<4xi32> to tensor<3xi32>
  %s = tensor.insert_slice %v into %base[1] [3] [1] : tensor<3xi32> into tensor<4xi32>
  %x = tensor.extract %s[%c1] : tensor<4xi32>
  %y = tensor.extract %s[%c3] : tensor<4xi32>
  vector.print %x : i32
  vector.print %y : i32
  return
}
