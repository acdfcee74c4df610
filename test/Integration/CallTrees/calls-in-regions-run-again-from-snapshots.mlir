// Both calls of a pair stand in the body of a loop, a branch, an scf.while or an scf.execute_region, and work on buffers
// from outside. Each body is planned like the block of a function: snapshots are taken where it begins anew.
// RUN: pebble-run %s --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-opt %s --pebble-checkpoint-calls=mode=joint -o %t.joint.mlir
// RUN: FileCheck %s < %t.joint.mlir
// RUN: pebble-opt %t.joint.mlir -cse -canonicalize -o %t.after.mlir
// RUN: pebble-opt %s --pebble-checkpoint-calls="mode=joint snapshot-tier=host" -o %t.host.mlir
// RUN: pebble-run %t.joint.mlir --json=%t.joint.json && grep sha256 %t.joint.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --json=%t.after.json && grep sha256 %t.after.json | diff - %t.sum
// RUN: pebble-run %t.host.mlir --json=%t.host.json && grep sha256 %t.host.json | diff - %t.sum

// CHECK-LABEL: func.func @main
// CHECK: scf.for
// CHECK: memref.copy %arg0
// CHECK-NEXT: func.call @layer.plain
// CHECK: func.call @layer.adjoint
// CHECK-NEXT: memref.dealloc
// CHECK: scf.if
// CHECK: memref.copy %arg0
// CHECK-NEXT: func.call @layer.plain
// CHECK: func.call @layer.adjoint
// CHECK: scf.execute_region
// CHECK: memref.copy %arg0
// CHECK-NEXT: func.call @layer.plain
// CHECK: func.call @layer.adjoint
// CHECK: scf.while
// CHECK: memref.copy %arg0
// CHECK-NEXT: func.call @layer.plain
// CHECK: func.call @layer.adjoint
// CHECK-NOT: call @layer(

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"hbm", kind = explicit, bandwidth = 100000>, <"host", kind = explicit, bandwidth = 10000>]>} {
func.func private @layer(%m: memref<64xf32>) -> memref<64xf32>
    attributes {pebble.adjoint = {backward = @layer_back, results = 0 : i64}} {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%m : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.tanh ins(%m : memref<64xf32>) outs(%m : memref<64xf32>)
  return %a : memref<64xf32>
}
func.func private @layer_back(%a: memref<64xf32>, %d: memref<64xf32>) {
  linalg.mul ins(%d, %a : memref<64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  return
}
func.func @main(%m: memref<64xf32> {llvm.noalias}, %d: memref<64xf32> {llvm.noalias}, %go: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %s = func.call @layer(%m) : (memref<64xf32>) -> memref<64xf32>
    linalg.tanh ins(%m : memref<64xf32>) outs(%m : memref<64xf32>)
    func.call @layer_back(%s, %d) : (memref<64xf32>, memref<64xf32>) -> ()
  }
  scf.if %go {
    %s = func.call @layer(%m) : (memref<64xf32>) -> memref<64xf32>
    func.call @layer_back(%s, %d) : (memref<64xf32>, memref<64xf32>) -> ()
  }
  scf.execute_region {
    %s = func.call @layer(%m) : (memref<64xf32>) -> memref<64xf32>
    scf.if %go {
      linalg.tanh ins(%m : memref<64xf32>) outs(%m : memref<64xf32>)
    }
    func.call @layer_back(%s, %d) : (memref<64xf32>, memref<64xf32>) -> ()
    scf.yield
  }
  %n = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %c3 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %s = func.call @layer(%m) : (memref<64xf32>) -> memref<64xf32>
    scf.execute_region {
      linalg.tanh ins(%m : memref<64xf32>) outs(%m : memref<64xf32>)
      scf.yield
    }
    func.call @layer_back(%s, %d) : (memref<64xf32>, memref<64xf32>) -> ()
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return
}
}
