// A layer overwrites a buffer and asserts something of another one, in a branch and in a callee as well. Joint, it
// runs again from a snapshot, assertions included. If an assertion does not hold, the program ends with it either way.
// RUN: pebble-run %s --json=%t.json
// RUN: pebble-opt %s --pebble-checkpoint-calls=mode=joint -o %t.joint.mlir --remarks-filter-passed=pebble-checkpoint-calls 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: FileCheck %s < %t.joint.mlir
// RUN: pebble-opt %t.joint.mlir -cse -canonicalize -o %t.after.mlir
// RUN: grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.joint.mlir --json=%t.joint.json && grep sha256 %t.joint.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --json=%t.after.json && grep sha256 %t.after.json | diff - %t.sum
// RUN: %python %S/metered.py %t.json %t.joint.json %t.after.json
// RUN: sed 's/cmpf une, %next/cmpf oeq, %next/' %s > %t.false.mlir
// RUN: not pebble-run %t.false.mlir 2>&1 | FileCheck %s --check-prefix=FALSE
// RUN: pebble-opt %t.false.mlir --pebble-checkpoint-calls=mode=joint -o %t.false-joint.mlir
// RUN: not pebble-run %t.false-joint.mlir 2>&1 | FileCheck %s --check-prefix=FALSE

// SAYS: calls of '@main': layer joint, layer joint
// SAYS-SAME: joint=2
// SAYS-SAME: snapshots=2
// CHECK-LABEL: func.func private @layer.plain
// CHECK: call @ask
// CHECK: cf.assert %{{.*}}, "the first weight is not zero"
// CHECK: cf.assert %{{.*}}, "in a branch"
// CHECK-LABEL: func.func private @layer.adjoint
// CHECK: call @ask
// CHECK: cf.assert %{{.*}}, "the first weight is not zero"
// CHECK: cf.assert %{{.*}}, "in a branch"
// FALSE: the second weight is not zero

func.func private @ask(%w: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %next = memref.load %w[%c1] : memref<1024xf32>
  %ok = arith.cmpf une, %next, %zero : f32
  cf.assert %ok, "the second weight is not zero"
  return
}
func.func private @layer(%state: memref<1024xf32>, %w: memref<1024xf32>) -> (memref<1024xf32>, memref<1024xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 0 : i64}} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  call @ask(%w) : (memref<1024xf32>) -> ()
  %first = memref.load %w[%c0] : memref<1024xf32>
  %ok = arith.cmpf une, %first, %zero : f32
  cf.assert %ok, "the first weight is not zero"
  %state0 = memref.load %state[%c0] : memref<1024xf32>
  %is = arith.cmpf ogt, %state0, %zero : f32
  scf.if %is {
    cf.assert %ok, "in a branch"
  }
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  linalg.mul ins(%state, %w : memref<1024xf32>, memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.tanh ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.add ins(%state, %b : memref<1024xf32>, memref<1024xf32>) outs(%state : memref<1024xf32>)
  return %a, %b : memref<1024xf32>, memref<1024xf32>
}
func.func private @layer_back(%a: memref<1024xf32>, %b: memref<1024xf32>, %d: memref<1024xf32>) {
  linalg.mul ins(%d, %b : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  linalg.mul ins(%d, %a : memref<1024xf32>, memref<1024xf32>) outs(%d : memref<1024xf32>)
  memref.dealloc %a : memref<1024xf32>
  memref.dealloc %b : memref<1024xf32>
  return
}
func.func @main(%state: memref<1024xf32> {llvm.noalias}, %w: memref<1024xf32> {llvm.noalias, pebble.range = [0.5, 1.0]},
                %d: memref<1024xf32> {llvm.noalias}) {
  %s:2 = call @layer(%state, %w) : (memref<1024xf32>, memref<1024xf32>) -> (memref<1024xf32>, memref<1024xf32>)
  %t:2 = call @layer(%state, %w) : (memref<1024xf32>, memref<1024xf32>) -> (memref<1024xf32>, memref<1024xf32>)
  call @layer_back(%t#0, %t#1, %d) : (memref<1024xf32>, memref<1024xf32>, memref<1024xf32>) -> ()
  call @layer_back(%s#0, %s#1, %d) : (memref<1024xf32>, memref<1024xf32>, memref<1024xf32>) -> ()
  return
}
