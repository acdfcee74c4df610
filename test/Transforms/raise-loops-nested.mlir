// Loops inside of loops: where each outer step hands on its state and its adjoint runs the inner loop again, both are
// raised and checkpointed, and the results have the same bits. One tape over all inner steps is left alone; a remark at
// the loop says why.
// RUN: pebble-opt %s --pebble-raise-loops --pebble-checkpoint-loops=slots=2 --remarks-filter=".*" -o %t.mlir 2> %t.said
// RUN: FileCheck %s --check-prefix=SAYS < %t.said
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %s --entry=main --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.mlir --entry=main --json=%t.two.json && grep sha256 %t.two.json | diff - %t.sum
// RUN: pebble-run %t.mlir --entry=one_tape
// SAYS-DAG: raise-loops-nested.mlir:[[# @LINE + 26]]:12: {{.*}}raised from two loops with 1 reads of tapes between them
// SAYS-DAG: raise-loops-nested.mlir:[[# @LINE + 12]]:10: {{.*}}raised from two loops with 1 reads of tapes between them
// SAYS-DAG: not the adjoint of the loop that it reads from: nothing goes over a tape from one to the other: a loop inside of each writes, or reads, many places in a step
// SAYS-DAG: this loop is reversed", backward_steps=5
// SAYS-DAG: this loop is reversed", backward_steps=4
// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: pebble.reversal
func.func @main(%x0: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %t0 = tensor.empty() : tensor<4x8xf32>
  %f:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %x0, %t = %t0) -> (tensor<8xf32>, tensor<4x8xf32>) {
    %u1 = tensor.insert_slice %x into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
    %in = scf.for %j = %c0 to %c5 step %c1 iter_args(%y = %x) -> (tensor<8xf32>) {
      %y1 = math.sin %y : tensor<8xf32>
      scf.yield %y1 : tensor<8xf32>
    }
    scf.yield %in, %u1 : tensor<8xf32>, tensor<4x8xf32>
  }
  %b = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %g) -> (tensor<8xf32>) {
    %c3 = arith.constant 3 : index
    %ri = arith.subi %c3, %i : index
    %x = tensor.extract_slice %f#1[%ri, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
    %v0 = tensor.empty() : tensor<5x8xf32>
    %r:2 = scf.for %j = %c0 to %c5 step %c1 iter_args(%y = %x, %t = %v0) -> (tensor<8xf32>, tensor<5x8xf32>) {
      %t1 = tensor.insert_slice %y into %t[%j, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<5x8xf32>
      %y1 = math.sin %y : tensor<8xf32>
      scf.yield %y1, %t1 : tensor<8xf32>, tensor<5x8xf32>
    }
    %in = scf.for %j = %c0 to %c5 step %c1 iter_args(%e = %d) -> (tensor<8xf32>) {
      %rj = arith.subi %c4, %j : index
      %y = tensor.extract_slice %r#1[%rj, 0] [1, 8] [1, 1] : tensor<5x8xf32> to tensor<8xf32>
      %c = math.cos %y : tensor<8xf32>
      %e1 = arith.mulf %e, %c : tensor<8xf32>
      scf.yield %e1 : tensor<8xf32>
    }
    scf.yield %in : tensor<8xf32>
  }
  return %b : tensor<8xf32>
}
func.func @one_tape(%x0: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %t0 = tensor.empty() : tensor<4x5x8xf32>
  %f:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %x0, %t = %t0) -> (tensor<8xf32>, tensor<4x5x8xf32>) {
    %in:2 = scf.for %j = %c0 to %c5 step %c1 iter_args(%y = %x, %u = %t) -> (tensor<8xf32>, tensor<4x5x8xf32>) {
      %u1 = tensor.insert_slice %y into %u[%i, %j, 0] [1, 1, 8] [1, 1, 1] : tensor<8xf32> into tensor<4x5x8xf32>
      %y1 = math.sin %y : tensor<8xf32>
      scf.yield %y1, %u1 : tensor<8xf32>, tensor<4x5x8xf32>
    }
    scf.yield %in#0, %in#1 : tensor<8xf32>, tensor<4x5x8xf32>
  }
  %b = scf.for %i = %c0 to %c4 step %c1 iter_args(%d = %g) -> (tensor<8xf32>) {
    %c3 = arith.constant 3 : index
    %ri = arith.subi %c3, %i : index
    %in = scf.for %j = %c0 to %c5 step %c1 iter_args(%e = %d) -> (tensor<8xf32>) {
      %rj = arith.subi %c4, %j : index
      %y = tensor.extract_slice %f#1[%ri, %rj, 0] [1, 1, 8] [1, 1, 1] : tensor<4x5x8xf32> to tensor<8xf32>
      %c = math.cos %y : tensor<8xf32>
      %e1 = arith.mulf %e, %c : tensor<8xf32>
      scf.yield %e1 : tensor<8xf32>
    }
    scf.yield %in : tensor<8xf32>
  }
  return %b : tensor<8xf32>
}
