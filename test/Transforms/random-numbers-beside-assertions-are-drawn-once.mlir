// An assertion may be asked again. What stands beside it in a branch, and draws
// random numbers of a state that no value shows, may not be drawn again for that.
// RUN: pebble-opt %s --allow-unregistered-dialect --pebble-checkpoint-calls="mode=joint pure=my.random" --remarks-filter-missed=pebble-checkpoint-calls -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUT < %t.mlir
// CHECK: the call of '@draws' keeps its tape: 'my.random' does not give the same result twice in '@draws'
// OUT: func.func @main
// OUT: call @asserts.plain
// OUT: call @asserts.adjoint

func.func private @back(%c: tensor<4xf32>) -> tensor<4xf32> {
  %d = math.cos %c : tensor<4xf32>
  return %d : tensor<4xf32>
}
func.func private @draws(%x: tensor<4xf32>, %go: i1) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %r = scf.if %go -> tensor<4xf32> {
    cf.assert %go, "go"
    %s = "my.random"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %x, %r : tensor<4xf32>, tensor<4xf32>
}
func.func private @asserts(%x: tensor<4xf32>, %go: i1) -> (tensor<4xf32>, tensor<4xf32>) attributes {pebble.adjoint = {backward = @back, results = 1 : i64}} {
  %r = scf.if %go -> tensor<4xf32> {
    cf.assert %go, "go"
    %s = math.sin %x : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %y = math.exp %x : tensor<4xf32>
  return %y, %r : tensor<4xf32>, tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %go: i1) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %y, %c = call @draws(%x, %go) : (tensor<4xf32>, i1) -> (tensor<4xf32>, tensor<4xf32>)
  %z, %e = call @asserts(%y, %go) : (tensor<4xf32>, i1) -> (tensor<4xf32>, tensor<4xf32>)
  %f = call @back(%e) : (tensor<4xf32>) -> tensor<4xf32>
  %d = call @back(%c) : (tensor<4xf32>) -> tensor<4xf32>
  return %z, %d, %f : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
