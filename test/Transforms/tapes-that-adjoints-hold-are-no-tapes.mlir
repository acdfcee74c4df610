// A tape that an adjoint begins with, or becomes, is needed as a whole: steps
// that are made again cannot stand for it, and both loops stay.
// RUN: pebble-opt %s --pebble-raise-loops | FileCheck %s --implicit-check-not=pebble.adjoint_loop

// CHECK-LABEL: func.func @begins_with_it
// CHECK: %[[F:.*]]:2 = scf.for
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[F]]#0, %{{.*}} = %[[F]]#1)
func.func @begins_with_it(%x: tensor<8xf32>, %t0: tensor<5x8xf32>) -> (tensor<8xf32>, tensor<5x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %f:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %x, %t = %t0) -> (tensor<8xf32>, tensor<5x8xf32>) {
    %u = tensor.insert_slice %s into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<5x8xf32>
    %next = math.sin %s : tensor<8xf32>
    scf.yield %next, %u : tensor<8xf32>, tensor<5x8xf32>
  }
  %b:2 = scf.for %j = %c0 to %c5 step %c1 iter_args(%a = %f#0, %g = %f#1) -> (tensor<8xf32>, tensor<5x8xf32>) {
    %k = arith.subi %c4, %j : index
    %s = tensor.extract_slice %f#1[%k, 0] [1, 8] [1, 1] : tensor<5x8xf32> to tensor<8xf32>
    %cos = math.cos %s : tensor<8xf32>
    %da = arith.mulf %a, %cos : tensor<8xf32>
    %sum = tensor.insert_slice %da into %g[%k, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<5x8xf32>
    scf.yield %da, %sum : tensor<8xf32>, tensor<5x8xf32>
  }
  return %b#0, %b#1 : tensor<8xf32>, tensor<5x8xf32>
}

// CHECK-LABEL: func.func @becomes_it
// CHECK: %[[F:.*]]:2 = scf.for
// CHECK: scf.for
// CHECK: scf.yield %{{.*}}, %[[F]]#1
func.func @becomes_it(%x: tensor<8xf32>, %t0: tensor<5x8xf32>) -> (tensor<8xf32>, tensor<5x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %f:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %x, %t = %t0) -> (tensor<8xf32>, tensor<5x8xf32>) {
    %u = tensor.insert_slice %s into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<5x8xf32>
    %next = math.sin %s : tensor<8xf32>
    scf.yield %next, %u : tensor<8xf32>, tensor<5x8xf32>
  }
  %b:2 = scf.for %j = %c0 to %c5 step %c1 iter_args(%a = %f#0, %g = %t0) -> (tensor<8xf32>, tensor<5x8xf32>) {
    %k = arith.subi %c4, %j : index
    %s = tensor.extract_slice %f#1[%k, 0] [1, 8] [1, 1] : tensor<5x8xf32> to tensor<8xf32>
    %cos = math.cos %s : tensor<8xf32>
    %da = arith.mulf %a, %cos : tensor<8xf32>
    scf.yield %da, %f#1 : tensor<8xf32>, tensor<5x8xf32>
  }
  return %b#0, %b#1 : tensor<8xf32>, tensor<5x8xf32>
}
