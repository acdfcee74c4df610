// One empty tensor is the destination of a fill before the loop and of an op in
// it: taken as one buffer, the second iteration would read a clobbered fill.
// RUN: %python %S/../same-results.py %s -- --pebble-order-operations=objective=peak | FileCheck %s
// CHECK: before: peak 192{{$}}
// CHECK-NEXT: after: peak 192{{$}}
// EXPECT: 3
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %start) -> (tensor<4xf32>) {
    %next = linalg.map { arith.addf } ins(%ones, %acc : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
    scf.yield %next : tensor<4xf32>
  }
  %x = tensor.extract %sum[%c0] : tensor<4xf32>
  vector.print %x : f32
  return
}
