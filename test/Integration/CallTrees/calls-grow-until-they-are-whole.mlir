// A call that starts what its caller ends, or ends what its caller began, must
// not run again as it stands. The segment around it grows until both are inside.
// RUN: split-file %s %t.d
// RUN: %python %S/run-modes.py %t.d/task.mlir %t.d/freed-tape.mlir %t.d/freed-argument.mlir %t.d/two.mlir %t.d/in-a-loop.mlir | FileCheck %s
// CHECK: task.mlir: split ok, joint ok, min ok
// CHECK: freed-tape.mlir: split ok, joint ok, min ok
// CHECK: freed-argument.mlir: split ok, joint ok, min ok
// CHECK: two.mlir: split ok, joint ok, min ok
// CHECK: in-a-loop.mlir: split ok, joint ok, min ok

// RUN: pebble-opt %t.d/task.mlir --pebble-checkpoint-calls=mode=joint | FileCheck %s --check-prefix=TASK
// TASK-LABEL: func.func @main
// TASK: call @layer.whole.plain
// TASK: call @layer.whole.adjoint({{.*}}) {pebble.call_mode = "joint"}
// TASK-LABEL: func.func private @layer.whole.plain
// TASK: async.execute
// TASK: async.await
// TASK-LABEL: func.func private @layer.whole.adjoint
// TASK: async.execute
// TASK: async.await
// RUN: pebble-opt %t.d/freed-tape.mlir --pebble-checkpoint-calls=mode=joint | FileCheck %s --check-prefix=FREED
// FREED: call @layer.whole.adjoint({{.*}}) {pebble.call_mode = "joint"}
// RUN: pebble-opt %t.d/freed-argument.mlir --pebble-checkpoint-calls=mode=joint | FileCheck %s --check-prefix=GIVEN
// GIVEN: call @layer.whole.adjoint({{.*}}) {pebble.call_mode = "joint"}
// RUN: pebble-opt %t.d/two.mlir --pebble-checkpoint-calls=mode=joint | FileCheck %s --check-prefix=TWO
// RUN: pebble-opt %t.d/in-a-loop.mlir --pebble-checkpoint-calls=mode=joint | FileCheck %s --check-prefix=LOOP
// LOOP: scf.for
// LOOP: func.call @start.whole.adjoint({{.*}}) {pebble.call_mode = "joint"}
// TWO: call @first.whole.adjoint({{.*}}) {pebble.call_mode = "joint"}

// Where no segment holds both, the call keeps its tape, and a remark says what
// it is about.
// RUN: pebble-opt %t.d/behind.mlir --pebble-checkpoint-calls=mode=joint --remarks-filter-missed=pebble-checkpoint-calls -o %t.behind.mlir 2>&1 | FileCheck %s --check-prefix=BEHIND
// BEHIND-DAG: the call of '@layer' keeps its tape: 'async.await' ends what it starts, and stands behind its adjoint
// BEHIND-DAG: the call of '@layer' keeps its tape: 'async.execute' is ordered by an asynchronous token in '@layer'; with all that it waits for, and that waits for it, in one place before the adjoint it may run again
// RUN: pebble-opt %t.d/message.mlir --pebble-checkpoint-calls=mode=joint --remarks-filter-missed=pebble-checkpoint-calls -o %t.message.mlir 2>&1 | FileCheck %s --check-prefix=MESSAGE
// MESSAGE: the call of '@layer' keeps its tape: 'mpi.isend' communicates in '@layer'; messages run once: a start and its wait, outside of what runs again, let the rest run again

//--- task.mlir
func.func private @layer(%x: tensor<1024xf32>) -> (!async.token, !async.value<tensor<1024xf32>>, tensor<1024xf32>, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 2 : i64}} {
  %t, %v = async.execute -> !async.value<tensor<1024xf32>> {
    %a = math.sin %x : tensor<1024xf32>
    async.yield %a : tensor<1024xf32>
  }
  %c = math.cos %x : tensor<1024xf32>
  %c2 = math.cos %c : tensor<1024xf32>
  return %t, %v, %c, %c2 : !async.token, !async.value<tensor<1024xf32>>, tensor<1024xf32>, tensor<1024xf32>
}
func.func private @layer_back(%c: tensor<1024xf32>, %c2: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %c, %d : tensor<1024xf32>
  %f = arith.mulf %c2, %e : tensor<1024xf32>
  return %f : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>, %d: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %t, %v, %c, %c2 = call @layer(%x) : (tensor<1024xf32>) -> (!async.token, !async.value<tensor<1024xf32>>, tensor<1024xf32>, tensor<1024xf32>)
  %beside = math.exp %x : tensor<1024xf32>
  async.await %t : !async.token
  %y = async.await %v : !async.value<tensor<1024xf32>>
  %s = arith.addf %y, %beside : tensor<1024xf32>
  %m = math.exp %s : tensor<1024xf32>
  %m2 = arith.mulf %m, %d : tensor<1024xf32>
  %g = call @layer_back(%c, %c2, %m2) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %s, %g : tensor<1024xf32>, tensor<1024xf32>
}

//--- freed-tape.mlir
func.func private @layer(%x: memref<1024xf32>) -> (memref<1024xf32>, memref<1024xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 0 : i64}} {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.tanh ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  return %a, %b : memref<1024xf32>, memref<1024xf32>
}
func.func private @layer_back(%a: memref<1024xf32>, %b: memref<1024xf32>, %d: memref<1024xf32>) {
  linalg.mul ins(%d, %b : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  linalg.mul ins(%d, %a : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  return
}
func.func @main(%x: memref<1024xf32> {llvm.noalias}, %d: memref<1024xf32> {llvm.noalias}) {
  %a, %b = call @layer(%x) : (memref<1024xf32>) -> (memref<1024xf32>, memref<1024xf32>)
  linalg.exp ins(%d : memref<1024xf32>) outs(%d : memref<1024xf32>)
  call @layer_back(%a, %b, %d) : (memref<1024xf32>, memref<1024xf32>, memref<1024xf32>) -> ()
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}

//--- freed-argument.mlir
func.func private @layer(%x: memref<1024xf32>, %in: memref<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %v = bufferization.to_tensor %x : memref<1024xf32> to tensor<1024xf32>
  %a = math.sin %v : tensor<1024xf32>
  %c = math.cos %v : tensor<1024xf32>
  %w = bufferization.to_tensor %in : memref<1024xf32> to tensor<1024xf32>
  %b = arith.addf %a, %w : tensor<1024xf32>
  memref.dealloc %in : memref<1024xf32>
  return %b, %c : tensor<1024xf32>, tensor<1024xf32>
}
func.func private @layer_back(%c: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %c, %d : tensor<1024xf32>
  return %e : tensor<1024xf32>
}
func.func @main(%x: memref<1024xf32> {llvm.noalias}, %d: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %in = memref.alloc() : memref<1024xf32>
  linalg.exp ins(%x : memref<1024xf32>) outs(%in : memref<1024xf32>)
  %y, %c = call @layer(%x, %in) : (memref<1024xf32>, memref<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>)
  %m = math.exp %y : tensor<1024xf32>
  %m2 = arith.mulf %m, %d : tensor<1024xf32>
  %g = call @layer_back(%c, %m2) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %y, %g : tensor<1024xf32>, tensor<1024xf32>
}

//--- two.mlir
// The one opens, and the other closes: both, and both adjoints, are one segment.
func.func private @first(%x: tensor<1024xf32>) -> (!async.value<tensor<1024xf32>>, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %t, %v = async.execute -> !async.value<tensor<1024xf32>> {
    %a = math.sin %x : tensor<1024xf32>
    async.yield %a : tensor<1024xf32>
  }
  async.await %t : !async.token
  %c = math.cos %x : tensor<1024xf32>
  return %v, %c : !async.value<tensor<1024xf32>>, tensor<1024xf32>
}
func.func private @second(%v: !async.value<tensor<1024xf32>>) -> (tensor<1024xf32>, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %x = async.await %v : !async.value<tensor<1024xf32>>
  %a = math.sin %x : tensor<1024xf32>
  %c = math.cos %x : tensor<1024xf32>
  return %a, %c : tensor<1024xf32>, tensor<1024xf32>
}
func.func private @back(%c: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %c, %d : tensor<1024xf32>
  return %e : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>, %d: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %v, %c = call @first(%x) : (tensor<1024xf32>) -> (!async.value<tensor<1024xf32>>, tensor<1024xf32>)
  %y, %c2 = call @second(%v) : (!async.value<tensor<1024xf32>>) -> (tensor<1024xf32>, tensor<1024xf32>)
  %m = math.exp %y : tensor<1024xf32>
  %m2 = arith.mulf %m, %d : tensor<1024xf32>
  %g = call @back(%c2, %m2) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %h = call @back(%c, %g) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %y, %h : tensor<1024xf32>, tensor<1024xf32>
}

//--- in-a-loop.mlir
func.func private @start(%x: tensor<1024xf32>) -> (!async.value<tensor<1024xf32>>, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %t, %v = async.execute -> !async.value<tensor<1024xf32>> {
    %a = math.sin %x : tensor<1024xf32>
    async.yield %a : tensor<1024xf32>
  }
  async.await %t : !async.token
  %c = math.cos %x : tensor<1024xf32>
  return %v, %c : !async.value<tensor<1024xf32>>, tensor<1024xf32>
}
func.func private @back(%c: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %c, %d : tensor<1024xf32>
  return %e : tensor<1024xf32>
}
func.func @main(%w: tensor<1024xf32>, %x: tensor<1024xf32>) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %w) -> tensor<1024xf32> {
    %in = arith.addf %p, %x : tensor<1024xf32>
    %v, %c = func.call @start(%in) : (tensor<1024xf32>) -> (!async.value<tensor<1024xf32>>, tensor<1024xf32>)
    %y = async.await %v : !async.value<tensor<1024xf32>>
    %m = math.exp %y : tensor<1024xf32>
    %g = func.call @back(%c, %m) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %q = arith.subf %p, %g : tensor<1024xf32>
    scf.yield %q : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}

//--- behind.mlir
func.func private @layer(%x: tensor<1024xf32>) -> (!async.token, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %t = async.execute {
    async.yield
  }
  %c = math.cos %x : tensor<1024xf32>
  return %t, %c : !async.token, tensor<1024xf32>
}
func.func private @back(%c: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %c, %d : tensor<1024xf32>
  return %e : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %t, %c = call @layer(%x) : (tensor<1024xf32>) -> (!async.token, tensor<1024xf32>)
  %g = call @back(%c, %d) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  async.await %t : !async.token
  return %g : tensor<1024xf32>
}

//--- message.mlir
func.func private @layer(%x: tensor<1024xf32>, %m: memref<1024xf32>) -> (!mpi.request, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %comm = mpi.comm_world : !mpi.comm
  %tag = arith.constant 7 : i32
  %to = arith.constant 1 : i32
  %r = mpi.isend(%m, %tag, %to, %comm) : memref<1024xf32>, i32, i32 -> !mpi.request
  %c = math.cos %x : tensor<1024xf32>
  return %r, %c : !mpi.request, tensor<1024xf32>
}
func.func private @back(%c: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %c, %d : tensor<1024xf32>
  return %e : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>, %m: memref<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %r, %c = call @layer(%x, %m) : (tensor<1024xf32>, memref<1024xf32>) -> (!mpi.request, tensor<1024xf32>)
  mpi.wait(%r) : !mpi.request
  %g = call @back(%c, %d) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %g : tensor<1024xf32>
}
