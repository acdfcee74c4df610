// Layers overwrite buffers of sizes that types do not tell. Joint, they run again from snapshots that are as large as
// the buffers are by then, in either tier.
// RUN: pebble-run %s --json=%t.json
// RUN: pebble-opt %s --pebble-checkpoint-calls="mode=joint dim-bound=32" -o %t.joint.mlir --remarks-filter-passed=pebble-checkpoint-calls 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: FileCheck %s < %t.joint.mlir
// RUN: pebble-opt %t.joint.mlir -cse -canonicalize -o %t.after.mlir
// RUN: pebble-opt %s --pebble-checkpoint-calls="mode=joint dim-bound=32 snapshot-tier=host" -o %t.host.mlir
// RUN: FileCheck %s --check-prefix=HOST < %t.host.mlir
// RUN: grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.joint.mlir --poison --json=%t.joint.json && grep sha256 %t.joint.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --poison --json=%t.after.json && grep sha256 %t.after.json | diff - %t.sum
// RUN: pebble-run %t.host.mlir --poison --json=%t.host.json && grep sha256 %t.host.json | diff - %t.sum
// RUN: not pebble-opt %s --pebble-checkpoint-calls=mode=joint 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// SAYS: calls of '@main': layer joint, layer joint
// SAYS-SAME: snapshot_bytes=8192, snapshots=2
// CHECK-LABEL: func.func @main
// CHECK: %[[N:.*]] = memref.dim %[[M:.*]], %
// CHECK: %[[S:.*]] = memref.alloc(%[[N]]) : memref<?x32xf32>
// CHECK-NEXT: memref.copy %[[M]], %[[S]]
// CHECK-NEXT: call @layer.plain(%[[M]],
// CHECK: call @layer.plain(
// CHECK: %[[OUT:.*]] = memref.alloc(%{{.*}}) : memref<?x32xf32>
// CHECK: call @layer.adjoint(%{{.*}}, %[[OUT]], %
// HOST: memref.alloc(%{{.*}}) : memref<?x32xf32, #pebble.at<"host">>
// HOST: pebble.store
// HOST: pebble.load
// UNKNOWN: error: size of memref<?x32xf32> is not known; bound dynamic dimensions with dim-bound

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"hbm", kind = explicit, bandwidth = 100000>, <"host", kind = explicit, bandwidth = 10000>]>} {
func.func private @layer(%m: memref<?x32xf32>, %y: memref<?x32xf32>) -> memref<?x32xf32>
    attributes {pebble.adjoint = {backward = @layer_back, results = 0 : i64}} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?x32xf32>
  %a = memref.alloc(%n) : memref<?x32xf32>
  linalg.tanh ins(%m : memref<?x32xf32>) outs(%y : memref<?x32xf32>)
  linalg.exp ins(%m : memref<?x32xf32>) outs(%a : memref<?x32xf32>)
  linalg.add ins(%m, %y : memref<?x32xf32>, memref<?x32xf32>) outs(%m : memref<?x32xf32>)
  return %a : memref<?x32xf32>
}
func.func private @layer_back(%a: memref<?x32xf32>, %d: memref<?x32xf32>) {
  linalg.mul ins(%d, %a : memref<?x32xf32>, memref<?x32xf32>) outs(%d : memref<?x32xf32>)
  memref.dealloc %a : memref<?x32xf32>
  return
}
func.func @main(%m0: memref<24x32xf32> {llvm.noalias}, %y0: memref<24x32xf32> {llvm.noalias},
                %d0: memref<24x32xf32> {llvm.noalias}) {
  %m = memref.cast %m0 : memref<24x32xf32> to memref<?x32xf32>
  %y = memref.cast %y0 : memref<24x32xf32> to memref<?x32xf32>
  %d = memref.cast %d0 : memref<24x32xf32> to memref<?x32xf32>
  %s = call @layer(%m, %y) : (memref<?x32xf32>, memref<?x32xf32>) -> memref<?x32xf32>
  %t = call @layer(%m, %y) : (memref<?x32xf32>, memref<?x32xf32>) -> memref<?x32xf32>
  call @layer_back(%t, %d) : (memref<?x32xf32>, memref<?x32xf32>) -> ()
  call @layer_back(%s, %d) : (memref<?x32xf32>, memref<?x32xf32>) -> ()
  return
}
}
