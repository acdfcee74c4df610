// RUN: pebble-opt %s --allow-unregistered-dialect --pebble-checkpoint-calls=mode=joint --remarks-filter-missed=pebble-checkpoint-calls -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUT < %t.mlir
// RUN: echo "func.func @f() { return }" | pebble-opt --pebble-checkpoint-calls=mode=joint --remarks-filter-missed=pebble-checkpoint-calls 2>&1 | FileCheck %s --check-prefix=NOTHING

// Draws, prints, writes one of two buffers that may be one; and calls that are no
// pairs. Each stays as often as it was. What makes a buffer of its own may run
// again, and what reads a global that is overwritten, from a snapshot.
// CHECK-DAG: the call of '@draws' keeps its tape: 'any.rng' is not registered and may have any effect in '@draws'
// CHECK-DAG: the call of '@prints' keeps its tape: {{.*}}'func.call' calls a function whose effects are not known in '@prints'
// CHECK-DAG: the call of '@buffers' keeps its tape: '@buffers' works on two buffers that may be one: 'llvm.noalias' on an argument says that it is no other
// CHECK-DAG: the call of '@looked_at' keeps its tape: result 1, of the tape, does not go to one call of '@back' and nowhere else
// CHECK-DAG: the call of '@nothing' keeps its tape: its callee hands out no tape

// CHECK-DAG: the call of '@gathers' keeps its tape: 'pebble.collective_start' is ordered by an asynchronous token in '@gathers'; outside of what runs again it runs once
// CHECK-DAG: the call of '@waits' keeps its tape: 'gpu.wait' is ordered by an asynchronous token in '@waits'; outside of what runs again it runs once
// CHECK-DAG: the call of '@asserts' keeps its tape: 'cf.assert' {{.*}} in '@asserts'; outside of what runs again it runs once

// OUT: func.func @main
// OUT-COUNT-1: call @draws
// OUT-COUNT-1: call @prints
// OUT-NOT: @draws.plain
// OUT: call @reads.plain
// OUT: func.func @holder
// OUT: call @holds.plain
// OUT: call @holds.adjoint

// NOTHING: no function has a 'pebble.adjoint', so there is no call to decide on

memref.global "private" @state : memref<4xf32> = dense<1.0>
func.func private @print(tensor<4xf32>)
func.func private @back(%c: tensor<4xf32>) -> tensor<4xf32> {
  %d = math.cos %c : tensor<4xf32>
  return %d : tensor<4xf32>
}
func.func private @nothing_back(%c: tensor<4xf32>) -> tensor<4xf32> {
  return %c : tensor<4xf32>
}
func.func private @draws(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %r = "any.rng"() : () -> tensor<4xf32>
  return %x, %r : tensor<4xf32>, tensor<4xf32>
}
func.func private @prints(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  call @print(%x) : (tensor<4xf32>) -> ()
  %y = math.sin %x : tensor<4xf32>
  return %y, %x : tensor<4xf32>, tensor<4xf32>
}
func.func private @reads(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %i = arith.constant 0 : index
  %m = memref.get_global @state : memref<4xf32>
  %v = memref.load %m[%i] : memref<4xf32>
  %y = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %y, %x : tensor<4xf32>, tensor<4xf32>
}
func.func private @buffers(%x: tensor<4xf32>, %m: memref<4xf32>, %n: memref<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  memref.copy %m, %n : memref<4xf32> to memref<4xf32>
  %y = math.sin %x : tensor<4xf32>
  return %y, %x : tensor<4xf32>, tensor<4xf32>
}
func.func private @looked_at(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %y = math.sin %x : tensor<4xf32>
  return %y, %x : tensor<4xf32>, tensor<4xf32>
}
func.func private @pure(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %y = math.sin %x : tensor<4xf32>
  return %y, %x : tensor<4xf32>, tensor<4xf32>
}
func.func private @nothing(%x: tensor<4xf32>) -> tensor<4xf32> attributes {pebble.adjoint = {backward = @nothing_back, results = 1 : i64}} {
  %y = math.sin %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %m: memref<4xf32>, %n: memref<4xf32>, %go: i1) -> tensor<4xf32> {
  %a, %ta = call @draws(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %b, %tb = call @prints(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %c, %tc = call @reads(%b) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %st = memref.get_global @state : memref<4xf32>
  memref.copy %n, %st : memref<4xf32> to memref<4xf32>
  %d, %td = call @buffers(%c, %m, %n) : (tensor<4xf32>, memref<4xf32>, memref<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %e, %te = call @looked_at(%d) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %f = call @nothing(%e) : (tensor<4xf32>) -> tensor<4xf32>
  %g = scf.if %go -> tensor<4xf32> {
    %h, %th = func.call @pure(%f) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %gh = func.call @back(%th) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %gh : tensor<4xf32>
  } else {
    scf.yield %f : tensor<4xf32>
  }
  %ge = call @back(%te) : (tensor<4xf32>) -> tensor<4xf32>
  %gd = call @back(%td) : (tensor<4xf32>) -> tensor<4xf32>
  %gc = call @back(%tc) : (tensor<4xf32>) -> tensor<4xf32>
  %gb = call @back(%tb) : (tensor<4xf32>) -> tensor<4xf32>
  %ga = call @back(%ta) : (tensor<4xf32>) -> tensor<4xf32>
  %s = arith.addf %ge, %te : tensor<4xf32>
  %s1 = arith.addf %s, %gd : tensor<4xf32>
  %s2 = arith.addf %s1, %gc : tensor<4xf32>
  %s3 = arith.addf %s2, %gb : tensor<4xf32>
  %s4 = arith.addf %s3, %ga : tensor<4xf32>
  %s5 = arith.addf %s4, %g : tensor<4xf32>
  return %s5 : tensor<4xf32>
}
func.func private @holds(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%m : memref<4xf32>)
  memref.dealloc %m : memref<4xf32>
  %y = math.sin %x : tensor<4xf32>
  return %y, %y : tensor<4xf32>, tensor<4xf32>
}
func.func @holder(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %c = call @holds(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %d = call @back(%c) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %d : tensor<4xf32>, tensor<4xf32>
}
func.func private @gathers(%x: tensor<4xf32>, %m: memref<4xf32>, %n: memref<8xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %t = pebble.collective_start all_gather %m into %n group = 2 stride = 1 ranks = 2 : memref<4xf32>, memref<8xf32>
  pebble.collective_wait %t
  %y = math.sin %x : tensor<4xf32>
  return %y, %y : tensor<4xf32>, tensor<4xf32>
}
func.func @gatherer(%x: tensor<4xf32>, %m: memref<4xf32> {llvm.noalias}, %n: memref<8xf32> {llvm.noalias}) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %c = call @gathers(%x, %m, %n) : (tensor<4xf32>, memref<4xf32>, memref<8xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %d = call @back(%c) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %d : tensor<4xf32>, tensor<4xf32>
}
func.func private @waits(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %t = gpu.wait async
  gpu.wait [%t]
  %y = math.sin %x : tensor<4xf32>
  return %y, %y : tensor<4xf32>, tensor<4xf32>
}
func.func @waiter(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %c = call @waits(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %d = call @back(%c) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %d : tensor<4xf32>, tensor<4xf32>
}
func.func private @asserts(%x: tensor<4xf32>, %go: i1) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %t = async.execute {
    cf.assert %go, "go"
    async.yield
  }
  async.await %t : !async.token
  %y = math.sin %x : tensor<4xf32>
  return %y, %y : tensor<4xf32>, tensor<4xf32>
}
func.func @asserter(%x: tensor<4xf32>, %go: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %c = call @asserts(%x, %go) : (tensor<4xf32>, i1) -> (tensor<4xf32>, tensor<4xf32>)
  %d = call @back(%c) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %d : tensor<4xf32>, tensor<4xf32>
}
