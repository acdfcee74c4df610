// A step of a loop that starts a task and waits for it may run again; one that
// hands the task on to the next step may not.
// RUN: split-file %s %t
// RUN: pebble-run %t/whole.mlir --json=%t/was.json
// RUN: pebble-opt %t/whole.mlir --pebble-checkpoint-loops=slots=3 -o %t/planned.mlir
// RUN: pebble-run %t/planned.mlir --json=%t/planned.json
// RUN: grep sha256 %t/was.json > %t/was.sum && grep sha256 %t/planned.json | diff - %t/was.sum
// RUN: %python %S/CallTrees/metered.py %t/planned.json
// RUN: FileCheck %s < %t/planned.mlir
// CHECK: forward_steps = 14
// RUN: not pebble-opt %t/handed-on.mlir --pebble-checkpoint-loops=slots=3 2>&1 | FileCheck %s --check-prefix=HANDED
// HANDED: error: a step of this loop may run more than once, and 'async.{{.*}}' {{.*}}
// HANDED: note: with all that it waits for, and that waits for it, in one place before the adjoint it may run again

//--- whole.mlir
func.func @main(%x: tensor<1024xf32>, %a: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %n = arith.constant 9 : index
  %y, %dx = pebble.adjoint_loop %n states(%x : tensor<1024xf32>) adjoints(%a : tensor<1024xf32>) primal {
  ^bb0(%i: index, %s: tensor<1024xf32>):
    %t, %v = async.execute -> !async.value<tensor<1024xf32>> {
      %next = math.sin %s : tensor<1024xf32>
      async.yield %next : tensor<1024xf32>
    }
    async.await %t : !async.token
    %r = async.await %v : !async.value<tensor<1024xf32>>
    pebble.yield %r : tensor<1024xf32>
  } adjoint {
  ^bb0(%i: index, %s: tensor<1024xf32>, %b: tensor<1024xf32>):
    %cos = math.cos %s : tensor<1024xf32>
    %c = arith.mulf %cos, %b : tensor<1024xf32>
    pebble.yield %c : tensor<1024xf32>
  }
  return %y, %dx : tensor<1024xf32>, tensor<1024xf32>
}

//--- handed-on.mlir
func.func @main(%x: tensor<1024xf32>, %a: tensor<1024xf32>, %w: !async.value<tensor<1024xf32>>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %n = arith.constant 9 : index
  %y, %dx = pebble.adjoint_loop %n states(%x : tensor<1024xf32>) adjoints(%a : tensor<1024xf32>) primal {
  ^bb0(%i: index, %s: tensor<1024xf32>):
    %r = async.await %w : !async.value<tensor<1024xf32>>
    %q = arith.addf %r, %s : tensor<1024xf32>
    pebble.yield %q : tensor<1024xf32>
  } adjoint {
  ^bb0(%i: index, %s: tensor<1024xf32>, %b: tensor<1024xf32>):
    %cos = math.cos %s : tensor<1024xf32>
    %c = arith.mulf %cos, %b : tensor<1024xf32>
    pebble.yield %c : tensor<1024xf32>
  }
  return %y, %dx : tensor<1024xf32>, tensor<1024xf32>
}
