// The body of an async.execute runs where it stands. So a token, a group or a
// value that is to come may go through loops, branches and calls: it is there
// when someone waits for it.

// RUN: split-file %s %t.d
// RUN: pebble-run %t.d/good.mlir --entry=loops --json=%t.json
// RUN: pebble-opt %t.d/good.mlir --pebble-decompose | FileCheck %s
// RUN: pebble-opt %t.d/good.mlir --pebble-schedule=budget=min -o %t.mlir
// RUN: pebble-run %t.mlir --entry=loops --json=%t.planned.json
// RUN: grep sha256 %t.json > %t.sum && grep sha256 %t.planned.json | diff - %t.sum
// RUN: pebble-run %t.d/good.mlir --entry=plain --json=%t.plain.json
// RUN: grep sha256 %t.plain.json | diff - %t.sum
// RUN: pebble-run %t.d/good.mlir --entry=groups --json=%t.groups.json
// RUN: pebble-run %t.d/good.mlir --entry=plain_groups --json=%t.plain.json
// RUN: grep sha256 %t.groups.json > %t.sum && grep sha256 %t.plain.json | diff - %t.sum

// RUN: not pebble-run %t.d/beyond.mlir 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: beyond.mlir:[[#]]:{{[0-9]+}}: error: failed to legalize operation
// BEYOND: note: this operation can be analysed but not run

//--- good.mlir
// CHECK-NOT: async.
// CHECK-LABEL: func.func private @start
// CHECK-SAME: -> (i1, f32)
async.func private @start(%m: memref<4xf32>, %i: index) -> (!async.token, !async.value<f32>) {
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}
func.func private @finish(%v: !async.value<f32>, %m: memref<4xf32>, %i: index) {
  %w = async.await %v : !async.value<f32>
  %x = arith.addf %w, %w : f32
  memref.store %x, %m[%i] : memref<4xf32>
  return
}
// CHECK-LABEL: func.func @loops
func.func @loops(%m: memref<4xf32>, %c: i1) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %start = arith.constant 1.0 : f32
  %t0, %v0 = async.execute -> !async.value<f32> {
    async.yield %start : f32
  }
  %last:2 = scf.for %i = %zero to %four step %one iter_args(%t = %t0, %v = %v0)
      -> (!async.token, !async.value<f32>) {
    %next, %sum = async.execute [%t] (%v as %given : !async.value<f32>) -> !async.value<f32> {
      %at = memref.load %m[%i] : memref<4xf32>
      %s = arith.addf %at, %given : f32
      memref.store %s, %m[%i] : memref<4xf32>
      async.yield %s : f32
    }
    scf.yield %next, %sum : !async.token, !async.value<f32>
  }
  %picked = scf.if %c -> !async.value<f32> {
    %t, %v = async.call @start(%m, %one) : (memref<4xf32>, index) -> (!async.token, !async.value<f32>)
    scf.yield %v : !async.value<f32>
  } else {
    scf.yield %last#1 : !async.value<f32>
  }
  async.await %last#0 : !async.token
  call @finish(%picked, %m, %zero) : (!async.value<f32>, memref<4xf32>, index) -> ()
  %r = async.await %picked : !async.value<f32>
  return %r : f32
}
func.func @plain(%m: memref<4xf32>, %c: i1) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %start = arith.constant 1.0 : f32
  %last = scf.for %i = %zero to %four step %one iter_args(%v = %start) -> f32 {
    %at = memref.load %m[%i] : memref<4xf32>
    %s = arith.addf %at, %v : f32
    memref.store %s, %m[%i] : memref<4xf32>
    scf.yield %s : f32
  }
  %picked = scf.if %c -> f32 {
    %v = memref.load %m[%one] : memref<4xf32>
    scf.yield %v : f32
  } else {
    scf.yield %last : f32
  }
  %x = arith.addf %picked, %picked : f32
  memref.store %x, %m[%zero] : memref<4xf32>
  return %picked : f32
}
// CHECK-LABEL: func.func @groups
func.func @groups(%m: memref<4xf32>, %x: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %group = async.create_group %four : !async.group
  scf.for %i = %zero to %four step %one {
    %t = async.execute {
      memref.store %x, %m[%i] : memref<4xf32>
      async.yield
    }
    %n = async.add_to_group %t, %group : !async.token
  }
  async.await_all %group
  return
}
func.func @plain_groups(%m: memref<4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return
}

//--- beyond.mlir
// The body waits for what stands behind it.
func.func @main(%m: memref<4xf32>, %x: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %group = async.create_group %one : !async.group
  %waits = async.execute {
    async.await_all %group
    async.yield
  }
  %t = async.execute {
    memref.store %x, %m[%zero] : memref<4xf32>
    async.yield
  }
  %n = async.add_to_group %t, %group : !async.token
  async.await %waits : !async.token
  return
}
