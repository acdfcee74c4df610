// Branches, loops and regions that say which of their results are a tape are
// decided on like calls: they keep it, or run again before their adjoints.
// RUN: split-file %s %t.d
// RUN: %python %S/run-modes.py %t.d/*.mlir | FileCheck %s
// CHECK: branch-on-buffers.mlir: split ok, joint ok, min ok
// CHECK: branch.mlir: split ok, joint ok, min ok
// CHECK: half.mlir: split ok, joint ok, min ok
// CHECK: loop-on-buffers.mlir: split ok, joint ok, min ok
// CHECK: loop.mlir: split ok, joint ok, min ok
// CHECK: nested.mlir: split ok, joint ok, min ok
// CHECK: region.mlir: split ok, joint ok, min ok
// CHECK: while.mlir: split ok, joint ok, min ok

// What a branch or a loop computes for the tape alone is gone from the first
// run, and what it computes for others from the second.
// RUN: pebble-opt %t.d/branch.mlir --pebble-checkpoint-calls=mode=joint | FileCheck %s --check-prefix=BRANCH
// BRANCH-LABEL: func.func @main
// BRANCH: call @main.if.plain
// BRANCH: call @main.if.adjoint({{.*}}) {pebble.call_mode = "joint"}
// BRANCH-LABEL: func.func private @main.if.plain
// BRANCH-NOT: math.cos
// BRANCH-LABEL: func.func private @main.if.adjoint
// BRANCH-COUNT-2: math.cos
// RUN: pebble-opt %t.d/loop.mlir --pebble-checkpoint-calls=mode=joint | FileCheck %s --check-prefix=LOOP
// LOOP-LABEL: func.func private @main.for.plain
// LOOP-NOT: tensor<6x1024xf32>
// LOOP-LABEL: func.func private @main.for.adjoint
// LOOP: tensor<6x1024xf32>

// A region may hold calls, and those are decided on as well.
// RUN: pebble-opt %t.d/region.mlir --pebble-checkpoint-calls=mode=joint -o %t.tree.mlir && pebble-report %t.tree.mlir --function=main | FileCheck %s --check-prefix=TREE
// TREE: calls with adjoints:
// TREE-NEXT: @main.execute_region.adjoint joint: runs again before its adjoint
// TREE-NEXT: @layer.adjoint joint: runs again before its adjoint

// One may ask for one of both.
// RUN: sed 's/{pebble.adjoint = /{pebble.call_mode = "joint", pebble.adjoint = /' %t.d/branch.mlir > %t.asked.mlir
// RUN: pebble-opt %t.asked.mlir --pebble-checkpoint-calls=budget=min -o %t.joint.mlir && FileCheck %s --check-prefix=BRANCH < %t.joint.mlir

// So is what stands inside.
// RUN: pebble-opt %t.d/nested.mlir --pebble-checkpoint-calls=mode=joint | FileCheck %s --check-prefix=NESTED
// NESTED: func.func private @main.execute_region.adjoint
// NESTED: call @main.execute_region.if.plain
// NESTED: call @main.execute_region.if.adjoint({{.*}}) {pebble.call_mode = "joint"}

// Nothing is touched where all is well.
// RUN: pebble-opt %t.d/branch.mlir -o %t.was.mlir && pebble-opt %t.d/branch.mlir --pebble-checkpoint-calls=budget=1GiB | diff - %t.was.mlir

//--- branch.mlir
func.func @main(%x: tensor<1024xf32>, %d: tensor<1024xf32>, %go: i1) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %y, %t:2 = scf.if %go -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) {
    %a = math.sin %x : tensor<1024xf32>
    %ca = math.cos %x : tensor<1024xf32>
    %b = math.sin %a : tensor<1024xf32>
    %cb = math.cos %a : tensor<1024xf32>
    scf.yield %b, %ca, %cb : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
  } else {
    %a = math.tanh %x : tensor<1024xf32>
    %ca = math.exp %a : tensor<1024xf32>
    scf.yield %a, %ca, %ca : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
  } {pebble.adjoint = {results = 1 : i64}}
  %m = math.exp %y : tensor<1024xf32>
  %g = arith.mulf %m, %d : tensor<1024xf32>
  %h = scf.if %go -> tensor<1024xf32> {
    %e = arith.mulf %g, %t#1 : tensor<1024xf32>
    %f = arith.mulf %e, %t#0 : tensor<1024xf32>
    scf.yield %f : tensor<1024xf32>
  } else {
    %e = arith.mulf %g, %t#1 : tensor<1024xf32>
    scf.yield %e : tensor<1024xf32>
  }
  return %y, %h : tensor<1024xf32>, tensor<1024xf32>
}

//--- loop.mlir
func.func @main(%x: tensor<1024xf32>, %d: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
  %e0 = tensor.empty() : tensor<6x1024xf32>
  %z, %s = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x, %st = %e0) -> (tensor<1024xf32>, tensor<6x1024xf32>) {
    %w = math.sin %v : tensor<1024xf32>
    %cw = math.cos %v : tensor<1024xf32>
    %ns = tensor.insert_slice %cw into %st[%i, 0] [1, 1024] [1, 1] : tensor<1024xf32> into tensor<6x1024xf32>
    scf.yield %w, %ns : tensor<1024xf32>, tensor<6x1024xf32>
  } {pebble.adjoint = {results = 1 : i64}}
  %b = tensor.empty() : tensor<16x1024xf32>
  %big = linalg.broadcast ins(%z : tensor<1024xf32>) outs(%b : tensor<16x1024xf32>) dimensions = [0]
  %be = math.exp %big : tensor<16x1024xf32>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %m = linalg.reduce ins(%be : tensor<16x1024xf32>) outs(%zero : tensor<1024xf32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %sum = arith.addf %in, %acc : f32
      linalg.yield %sum : f32
    }
  %m2 = arith.mulf %m, %d : tensor<1024xf32>
  %g = scf.for %i = %c0 to %n step %c1 iter_args(%v = %m2) -> (tensor<1024xf32>) {
    %k = arith.subi %n, %i : index
    %k1 = arith.subi %k, %c1 : index
    %cw = tensor.extract_slice %s[%k1, 0] [1, 1024] [1, 1] : tensor<6x1024xf32> to tensor<1024xf32>
    %w = arith.mulf %v, %cw : tensor<1024xf32>
    scf.yield %w : tensor<1024xf32>
  }
  return %z, %g : tensor<1024xf32>, tensor<1024xf32>
}

//--- while.mlir
func.func @main(%x: tensor<1024xf32>, %d: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = arith.constant 5 : index
  %e0 = tensor.empty() : tensor<8x1024xf32>
  %z, %n, %s = scf.while (%v = %x, %i = %c0, %st = %e0)
      : (tensor<1024xf32>, index, tensor<8x1024xf32>) -> (tensor<1024xf32>, index, tensor<8x1024xf32>) {
    %go = arith.cmpi slt, %i, %limit : index
    scf.condition(%go) %v, %i, %st : tensor<1024xf32>, index, tensor<8x1024xf32>
  } do {
  ^bb0(%v: tensor<1024xf32>, %i: index, %st: tensor<8x1024xf32>):
    %w = math.sin %v : tensor<1024xf32>
    %cw = math.cos %v : tensor<1024xf32>
    %ns = tensor.insert_slice %cw into %st[%i, 0] [1, 1024] [1, 1] : tensor<1024xf32> into tensor<8x1024xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %w, %j, %ns : tensor<1024xf32>, index, tensor<8x1024xf32>
  } attributes {pebble.adjoint = {results = 1 : i64}}
  %m = math.exp %z : tensor<1024xf32>
  %m2 = arith.mulf %m, %d : tensor<1024xf32>
  %g, %rest = scf.while (%v = %m2, %i = %n) : (tensor<1024xf32>, index) -> (tensor<1024xf32>, index) {
    %go = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%go) %v, %i : tensor<1024xf32>, index
  } do {
  ^bb0(%v: tensor<1024xf32>, %i: index):
    %k = arith.subi %i, %c1 : index
    %cw = tensor.extract_slice %s[%k, 0] [1, 1024] [1, 1] : tensor<8x1024xf32> to tensor<1024xf32>
    %w = arith.mulf %v, %cw : tensor<1024xf32>
    scf.yield %w, %k : tensor<1024xf32>, index
  }
  return %z, %g : tensor<1024xf32>, tensor<1024xf32>
}

//--- region.mlir
func.func private @layer(%x: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %a = math.sin %x : tensor<1024xf32>
  %ca = math.cos %x : tensor<1024xf32>
  return %a, %ca : tensor<1024xf32>, tensor<1024xf32>
}
func.func private @layer_back(%ca: tensor<1024xf32>, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %d, %ca : tensor<1024xf32>
  return %e : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>, %d: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %y, %t:2 = scf.execute_region -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) {
    %a, %ca = func.call @layer(%x) : (tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>)
    %b, %cb = func.call @layer(%a) : (tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>)
    scf.yield %b, %ca, %cb : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
  } {pebble.adjoint = {results = 1 : i64}}
  %m = math.exp %y : tensor<1024xf32>
  %g = arith.mulf %m, %d : tensor<1024xf32>
  %h = scf.execute_region -> tensor<1024xf32> {
    %e = func.call @layer_back(%t#1, %g) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %f = func.call @layer_back(%t#0, %e) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    scf.yield %f : tensor<1024xf32>
  }
  return %y, %h : tensor<1024xf32>, tensor<1024xf32>
}

//--- nested.mlir
func.func @main(%x: tensor<1024xf32>, %d: tensor<1024xf32>, %go: i1) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %y, %t:2 = scf.execute_region -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) {
    %b, %tb = scf.if %go -> (tensor<1024xf32>, tensor<1024xf32>) {
      %a = math.sin %x : tensor<1024xf32>
      %ca = math.cos %x : tensor<1024xf32>
      scf.yield %a, %ca : tensor<1024xf32>, tensor<1024xf32>
    } else {
      %a = math.tanh %x : tensor<1024xf32>
      scf.yield %a, %x : tensor<1024xf32>, tensor<1024xf32>
    } {pebble.adjoint = {results = 1 : i64}}
    %c = math.sin %b : tensor<1024xf32>
    %cb = math.cos %b : tensor<1024xf32>
    scf.yield %c, %tb, %cb : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
  } {pebble.adjoint = {results = 1 : i64}}
  %m = math.exp %y : tensor<1024xf32>
  %g = arith.mulf %m, %d : tensor<1024xf32>
  %h = scf.execute_region -> tensor<1024xf32> {
    %e = arith.mulf %t#1, %g : tensor<1024xf32>
    %r = scf.if %go -> tensor<1024xf32> {
      %f = arith.mulf %e, %t#0 : tensor<1024xf32>
      scf.yield %f : tensor<1024xf32>
    } else {
      %f = arith.addf %e, %t#0 : tensor<1024xf32>
      scf.yield %f : tensor<1024xf32>
    }
    scf.yield %r : tensor<1024xf32>
  }
  return %y, %h : tensor<1024xf32>, tensor<1024xf32>
}

//--- half.mlir
func.func private @layer(%x: tensor<1024xf32>, %go: i1) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 1 : i64}} {
  %y, %t = scf.if %go -> (tensor<1024xf32>, tensor<1024xf32>) {
    %a = math.sin %x : tensor<1024xf32>
    %ca = math.cos %x : tensor<1024xf32>
    scf.yield %a, %ca : tensor<1024xf32>, tensor<1024xf32>
  } else {
    %a = math.tanh %x : tensor<1024xf32>
    scf.yield %a, %x : tensor<1024xf32>, tensor<1024xf32>
  } {pebble.adjoint = {results = 1 : i64}}
  %z = math.exp %y : tensor<1024xf32>
  return %z, %z, %t : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
}
func.func private @layer_back(%z: tensor<1024xf32>, %t: tensor<1024xf32>, %go: i1, %d: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = arith.mulf %d, %z : tensor<1024xf32>
  %r = scf.if %go -> tensor<1024xf32> {
    %f = arith.mulf %e, %t : tensor<1024xf32>
    scf.yield %f : tensor<1024xf32>
  } else {
    %f = arith.addf %e, %t : tensor<1024xf32>
    scf.yield %f : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}
func.func @main(%x: tensor<1024xf32>, %go: i1, %no: i1, %d: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %y, %s:2 = call @layer(%x, %go) : (tensor<1024xf32>, i1) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
  %z, %t:2 = call @layer(%y, %no) : (tensor<1024xf32>, i1) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
  %e = call @layer_back(%t#0, %t#1, %no, %d) : (tensor<1024xf32>, tensor<1024xf32>, i1, tensor<1024xf32>) -> tensor<1024xf32>
  %f = call @layer_back(%s#0, %s#1, %go, %e) : (tensor<1024xf32>, tensor<1024xf32>, i1, tensor<1024xf32>) -> tensor<1024xf32>
  return %z, %f : tensor<1024xf32>, tensor<1024xf32>
}

//--- branch-on-buffers.mlir
func.func @main(%m: memref<1024xf32> {llvm.noalias}, %x: tensor<1024xf32>, %d: tensor<1024xf32>, %go: i1) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %c0 = arith.constant 0 : index
  %y, %t = scf.if %go -> (tensor<1024xf32>, tensor<1024xf32>) {
    %v = memref.load %m[%c0] : memref<1024xf32>
    %s = tensor.splat %v : tensor<1024xf32>
    %xs = arith.mulf %x, %s : tensor<1024xf32>
    %a = math.sin %xs : tensor<1024xf32>
    %ca = math.cos %xs : tensor<1024xf32>
    scf.yield %a, %ca : tensor<1024xf32>, tensor<1024xf32>
  } else {
    linalg.exp ins(%m : memref<1024xf32>) outs(%m : memref<1024xf32>)
    scf.yield %x, %x : tensor<1024xf32>, tensor<1024xf32>
  } {pebble.adjoint = {results = 1 : i64}}
  linalg.exp ins(%m : memref<1024xf32>) outs(%m : memref<1024xf32>)
  %e = math.exp %y : tensor<1024xf32>
  %g = arith.mulf %e, %d : tensor<1024xf32>
  %h = scf.if %go -> tensor<1024xf32> {
    %p = arith.mulf %g, %t : tensor<1024xf32>
    scf.yield %p : tensor<1024xf32>
  } else {
    scf.yield %g : tensor<1024xf32>
  }
  return %y, %h : tensor<1024xf32>, tensor<1024xf32>
}

//--- loop-on-buffers.mlir
func.func @main(%m: memref<1024xf32> {llvm.noalias}, %d: memref<1024xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 6 : index
  %s = scf.execute_region -> memref<6x1024xf32> {
    %t = memref.alloc() : memref<6x1024xf32>
    scf.for %i = %c0 to %n step %c1 {
      %w = memref.subview %t[%i, 0] [1, 1024] [1, 1] : memref<6x1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
      memref.copy %m, %w : memref<1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
      linalg.tanh ins(%m : memref<1024xf32>) outs(%m : memref<1024xf32>)
    }
    scf.yield %t : memref<6x1024xf32>
  } {pebble.adjoint = {results = 0 : i64}}
  linalg.exp ins(%d : memref<1024xf32>) outs(%d : memref<1024xf32>)
  scf.execute_region {
    scf.for %i = %c0 to %n step %c1 {
      %k = arith.subi %n, %i : index
      %k1 = arith.subi %k, %c1 : index
      %w = memref.subview %s[%k1, 0] [1, 1024] [1, 1] : memref<6x1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
      linalg.mul ins(%d, %w : memref<1024xf32>, memref<1024xf32, strided<[1], offset: ?>>) outs(%d : memref<1024xf32>)
    }
    scf.yield
  }
  memref.dealloc %s : memref<6x1024xf32>
  return
}
