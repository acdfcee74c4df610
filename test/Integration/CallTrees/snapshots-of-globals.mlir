// A function that names a global runs again from a snapshot of it, whoever
// overwrites the global: the function itself, what it calls, or what is behind.
// RUN: split-file %s %t.d
// RUN: %python %S/run-modes.py %t.d/own.mlir %t.d/behind.mlir %t.d/both-halves.mlir | FileCheck %s
// CHECK: own.mlir: split ok, joint ok, min ok
// CHECK: behind.mlir: split ok, joint ok, min ok
// CHECK: both-halves.mlir: split ok, joint ok, min ok

// RUN: pebble-opt %t.d/own.mlir --pebble-checkpoint-calls=mode=joint --remarks-filter-passed=pebble-checkpoint-calls -o %t.own.mlir 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: calls of '@main': layer joint{{.*}}snapshot_bytes=4096, snapshots=1
// RUN: pebble-opt %t.d/behind.mlir --pebble-checkpoint-calls=mode=joint --remarks-filter-passed=pebble-checkpoint-calls -o %t.behind.mlir 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: pebble-opt %t.d/both-halves.mlir --pebble-checkpoint-calls=mode=joint --remarks-filter-passed=pebble-checkpoint-calls -o %t.both.mlir 2>&1 | FileCheck %s --check-prefix=OWN

// One that anybody may call is not given another argument.
// RUN: pebble-opt %t.d/public.mlir --pebble-checkpoint-calls=mode=joint --remarks-filter-missed=pebble-checkpoint-calls -o %t.public.mlir 2>&1 | FileCheck %s --check-prefix=PUBLIC
// PUBLIC: the call of '@layer' keeps its tape: it works on a buffer that is no argument of it, and somebody overwrites that

//--- own.mlir
memref.global "private" @state : memref<1024xf32> = dense<1.0>
func.func private @update(%x: memref<1024xf32>) {
  %s = memref.get_global @state : memref<1024xf32>
  linalg.add ins(%x, %s : memref<1024xf32>, memref<1024xf32>) outs(%s : memref<1024xf32>)
  return
}
func.func private @layer(%x: memref<1024xf32>, %y: memref<1024xf32>) -> (memref<1024xf32>, memref<1024xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 0 : i64}} {
  %s = memref.get_global @state : memref<1024xf32>
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  linalg.mul ins(%x, %s : memref<1024xf32>, memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.tanh ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  func.call @update(%b) : (memref<1024xf32>) -> ()
  linalg.tanh ins(%s : memref<1024xf32>) outs(%y : memref<1024xf32>)
  return %a, %b : memref<1024xf32>, memref<1024xf32>
}
func.func private @layer_back(%a: memref<1024xf32>, %b: memref<1024xf32>, %d: memref<1024xf32>) {
  linalg.mul ins(%d, %b : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  linalg.mul ins(%d, %a : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  return
}
func.func @main(%x: memref<1024xf32> {llvm.noalias}, %y: memref<1024xf32> {llvm.noalias}, %d: memref<1024xf32> {llvm.noalias}) {
  %a, %b = call @layer(%x, %y) : (memref<1024xf32>, memref<1024xf32>) -> (memref<1024xf32>, memref<1024xf32>)
  linalg.mul ins(%d, %y : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  call @layer_back(%a, %b, %d) : (memref<1024xf32>, memref<1024xf32>, memref<1024xf32>) -> ()
  %s = memref.get_global @state : memref<1024xf32>
  linalg.add ins(%d, %s : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  return
}

//--- behind.mlir
memref.global "private" @state : memref<1024xf32> = dense<0.5>
func.func private @layer(%x: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %m = memref.get_global @state : memref<1024xf32>
  %i = arith.constant 3 : index
  %v = memref.load %m[%i] : memref<1024xf32>
  %s = tensor.splat %v : tensor<1024xf32>
  %a = arith.mulf %x, %s : tensor<1024xf32>
  %b = math.sin %a : tensor<1024xf32>
  %c = math.cos %a : tensor<1024xf32>
  return %b, %c, %s : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
}
func.func private @layer_back(%c: tensor<1024xf32>, %s: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %c, %d : tensor<1024xf32>
  %f = arith.mulf %e, %s : tensor<1024xf32>
  return %f : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>, %n: memref<1024xf32> {llvm.noalias}, %d: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %y, %c, %t = call @layer(%x) : (tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
  %m = memref.get_global @state : memref<1024xf32>
  memref.copy %n, %m : memref<1024xf32> to memref<1024xf32>
  %g = call @layer_back(%c, %t, %d) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %y, %g : tensor<1024xf32>, tensor<1024xf32>
}

//--- both-halves.mlir
// The adjoint looks at the global as well, and finds there what is there now.
memref.global "private" @state : memref<1024xf32> = dense<0.5>
func.func private @layer(%x: memref<1024xf32>) -> memref<1024xf32>
    attributes {pebble.adjoint = {backward = @layer_back, results = 0 : i64}} {
  %m = memref.get_global @state : memref<1024xf32>
  %a = memref.alloc() : memref<1024xf32>
  linalg.mul ins(%x, %m : memref<1024xf32>, memref<1024xf32>) outs(%a : memref<1024xf32>)
  return %a : memref<1024xf32>
}
func.func private @layer_back(%a: memref<1024xf32>, %d: memref<1024xf32>) {
  %m = memref.get_global @state : memref<1024xf32>
  linalg.mul ins(%d, %a : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  linalg.mul ins(%d, %m : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  linalg.add ins(%d, %m : memref<1024xf32>, memref<1024xf32>) outs(%m : memref<1024xf32>)
  return
}
func.func @main(%x: memref<1024xf32> {llvm.noalias}, %n: memref<1024xf32> {llvm.noalias}, %d: memref<1024xf32> {llvm.noalias}) {
  %a = call @layer(%x) : (memref<1024xf32>) -> memref<1024xf32>
  %m = memref.get_global @state : memref<1024xf32>
  linalg.exp ins(%n : memref<1024xf32>) outs(%m : memref<1024xf32>)
  call @layer_back(%a, %d) : (memref<1024xf32>, memref<1024xf32>) -> ()
  linalg.add ins(%d, %m : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  return
}

//--- public.mlir
memref.global "private" @state : memref<4xf32> = dense<0.5>
func.func @layer(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %i = arith.constant 3 : index
  %m = memref.get_global @state : memref<4xf32>
  %v = memref.load %m[%i] : memref<4xf32>
  %s = tensor.splat %v : tensor<4xf32>
  %a = arith.mulf %x, %s : tensor<4xf32>
  return %a, %s : tensor<4xf32>, tensor<4xf32>
}
func.func private @layer_back(%s: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %f = arith.mulf %s, %d : tensor<4xf32>
  return %f : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %n: memref<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %t = call @layer(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %m = memref.get_global @state : memref<4xf32>
  memref.copy %n, %m : memref<4xf32> to memref<4xf32>
  %g = call @layer_back(%t, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y, %g : tensor<4xf32>, tensor<4xf32>
}
