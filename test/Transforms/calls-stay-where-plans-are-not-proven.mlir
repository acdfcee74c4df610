// A second run of @l would need a proof that follows what its loop does to a
// global, which there is none of. The plan is given up, and the program stays as
// it came. Who asks for that plan by name is told why it cannot be.
// RUN: pebble-opt %s --pebble-checkpoint-calls=budget=min --remarks-filter-missed=pebble-checkpoint-calls -o %t.mlir 2>&1 | FileCheck %s
// RUN: pebble-opt %s -o %t.was.mlir && diff %t.was.mlir %t.mlir
// Nothing is said of a tree that is not kept.
// RUN: pebble-opt %s --pebble-checkpoint-calls=budget=min --remarks-filter=pebble-checkpoint-calls -o %t.mlir 2>&1 | FileCheck %s --check-prefix=TREE
// TREE-NOT: call_tree
// RUN: not pebble-opt %s --pebble-checkpoint-calls=mode=joint -o %t.joint.mlir 2>&1 | FileCheck %s --check-prefix=JOINT
// No error names a budget that only such a plan keeps: what it names does.
// RUN: not pebble-opt %s --pebble-checkpoint-calls=budget=64 -o %t.least.mlir 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: pebble-opt %s --pebble-checkpoint-calls=budget=2304 -o %t.least.mlir
// LEAST: the budget of 64 bytes: the smallest known to do is 2304 bytes
// CHECK: not-proven {{.*}}'main' stays as it is, for the plan that was found is not proven: result 1 of this function is not proven to be what it was
// JOINT: error: result 1 of this function is not proven to be what it was

memref.global "private" @s : memref<64xf32> = dense<0.5>

func.func private @bump() {
  %i = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %m = memref.get_global @s : memref<64xf32>
  %v = memref.load %m[%i] : memref<64xf32>
  %w = arith.addf %v, %one : f32
  memref.store %w, %m[%i] : memref<64xf32>
  return
}

func.func private @l(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) attributes {pebble.adjoint = {backward = @l_back, results = 1 : i64}} {
  %i = arith.constant 3 : index
  %m = memref.get_global @s : memref<64xf32>
  %lim = arith.constant 3.0 : f32
  %st = memref.load %m[%i] : memref<64xf32>
  %v = scf.while (%u = %st) : (f32) -> f32 {
    %cc = arith.cmpf olt, %u, %lim : f32
    scf.condition(%cc) %u : f32
  } do {
  ^bb0(%u: f32):
    func.call @bump() : () -> ()
    %mm = memref.get_global @s : memref<64xf32>
    %n = memref.load %mm[%i] : memref<64xf32>
    scf.yield %n : f32
  }
  %sp = tensor.splat %v : tensor<64xf32>
  %a = arith.mulf %x, %sp : tensor<64xf32>
  %b = math.sin %a : tensor<64xf32>
  %c = math.cos %a : tensor<64xf32>
  return %b, %c, %sp : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
func.func private @l_back(%c: tensor<64xf32>, %sp: tensor<64xf32>, %d: tensor<64xf32>) -> tensor<64xf32> {
  %i = arith.constant 3 : index
  func.call @bump() : () -> ()
  %e = arith.mulf %c, %d : tensor<64xf32>
  %f = arith.mulf %e, %sp : tensor<64xf32>
  return %f : tensor<64xf32>
}
func.func @main(%x: tensor<64xf32>, %d: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, f32) {
  %y0, %c0, %s0 = call @l(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
  call @bump() : () -> ()
  %y, %c1, %s1 = call @l(%y0) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
  call @bump() : () -> ()
  %g1 = call @l_back(%c1, %s1, %d) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %g = call @l_back(%c0, %s0, %g1) : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %gi = arith.constant 3 : index
  %gm = memref.get_global @s : memref<64xf32>
  %gv = memref.load %gm[%gi] : memref<64xf32>
  return %y, %g, %gv : tensor<64xf32>, tensor<64xf32>, f32
}
