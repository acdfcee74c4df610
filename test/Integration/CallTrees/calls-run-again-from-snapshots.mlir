// A layer overwrites the state %m where it lies, and its adjoint needs what was there. Joint, it runs again on a
// snapshot. Before and after have equal bits, what is metered is what was predicted, and CSE and canonicalization
// leave it so.
// RUN: pebble-run %s --json=%t.json
// RUN: pebble-opt %s --pebble-checkpoint-calls=mode=joint -o %t.joint.mlir --remarks-filter-passed=pebble-checkpoint-calls 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: FileCheck %s --check-prefix=JOINT < %t.joint.mlir
// RUN: pebble-opt %t.joint.mlir -cse -canonicalize -o %t.after.mlir
// RUN: pebble-opt %s --pebble-checkpoint-calls="mode=joint snapshot-tier=host" -o %t.host.mlir
// RUN: FileCheck %s --check-prefix=HOST < %t.host.mlir
// RUN: pebble-opt %t.host.mlir -cse -canonicalize -o %t.host-after.mlir
// RUN: pebble-opt %s --pebble-checkpoint-calls="budget=min snapshot-tier=host" -o %t.min.mlir
// RUN: grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.joint.mlir --json=%t.joint.json && grep sha256 %t.joint.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --json=%t.after.json && grep sha256 %t.after.json | diff - %t.sum
// RUN: pebble-run %t.host.mlir --json=%t.host.json && grep sha256 %t.host.json | diff - %t.sum
// RUN: pebble-run %t.host-after.mlir --json=%t.host-after.json && grep sha256 %t.host-after.json | diff - %t.sum
// RUN: pebble-run %t.min.mlir --json=%t.min.json && grep sha256 %t.min.json | diff - %t.sum
// RUN: %python %S/metered.py %t.json %t.joint.json %t.after.json %t.host.json %t.host-after.json %t.min.json

// Of each pair the arguments are: the state, which the layer reads and overwrites; weights, which nobody overwrites;
// and the output, which it overwrites without a look.
// SAYS: calls of '@main': layer joint, layer joint, layer joint
// SAYS-SAME: joint=3
// SAYS-SAME: snapshot_bytes=12288, snapshots=3
// JOINT-LABEL: func.func private @layer.plain
// JOINT-COUNT-1: memref.alloc
// JOINT-NOT: memref.alloc
// JOINT: return
// JOINT-LABEL: func.func @main
// JOINT: %[[S:.*]] = memref.alloc() : memref<32x32xf32>
// JOINT-NEXT: memref.copy %[[M:arg0]], %[[S]]
// JOINT-NEXT: call @layer.plain(%[[M]], %arg1, %arg2)
// JOINT-COUNT-2: call @layer.plain(
// JOINT-NEXT: %[[OUT:.*]] = memref.alloc() : memref<32x32xf32>
// JOINT-NEXT: call @layer.adjoint(%{{.*}}, %arg1, %[[OUT]], %arg3) {pebble.call_mode = "joint"}
// JOINT-NEXT: memref.dealloc
// JOINT-NEXT: memref.dealloc
// HOST-LABEL: func.func @main
// HOST: %[[AWAY:.*]] = memref.alloc() : memref<32x32xf32, #pebble.at<"host">>
// HOST-NEXT: %[[T:.*]] = pebble.store %arg0 into %[[AWAY]]
// HOST-NEXT: pebble.wait %[[T]]
// HOST-NEXT: call @layer.plain
// HOST: pebble.load %[[AWAY]] into %[[BACK:.*]] :
// HOST-NEXT: pebble.wait
// HOST-NEXT: memref.dealloc %[[AWAY]]
// HOST: call @layer.adjoint(%[[BACK]],

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"hbm", kind = explicit, bandwidth = 100000>, <"host", kind = explicit, bandwidth = 10000>]>} {
func.func private @layer(%m: memref<32x32xf32>, %w: memref<32x32xf32>, %y: memref<32x32xf32>)
    -> (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>)
    attributes {pebble.adjoint = {backward = @layer_back, results = 0 : i64}} {
  %a = memref.alloc() : memref<32x32xf32>
  %b = memref.alloc() : memref<32x32xf32>
  %c = memref.alloc() : memref<32x32xf32>
  linalg.mul ins(%m, %w : memref<32x32xf32>, memref<32x32xf32>) outs(%a : memref<32x32xf32>)
  linalg.tanh ins(%a : memref<32x32xf32>) outs(%y : memref<32x32xf32>)
  linalg.exp ins(%y : memref<32x32xf32>) outs(%b : memref<32x32xf32>)
  linalg.add ins(%m, %y : memref<32x32xf32>, memref<32x32xf32>) outs(%m : memref<32x32xf32>)
  linalg.tanh ins(%m : memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  return %a, %b, %c : memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>
}
func.func private @layer_back(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>,
                              %d: memref<32x32xf32>) {
  linalg.mul ins(%d, %c : memref<32x32xf32>, memref<32x32xf32>) outs(%d : memref<32x32xf32>)
  linalg.mul ins(%d, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%d : memref<32x32xf32>)
  linalg.mul ins(%d, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%d : memref<32x32xf32>)
  return
}
func.func @main(%m: memref<32x32xf32> {llvm.noalias}, %w: memref<32x32xf32> {llvm.noalias},
                %y: memref<32x32xf32> {llvm.noalias}, %d: memref<32x32xf32> {llvm.noalias}) {
  %s:3 = call @layer(%m, %w, %y) : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>)
      -> (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>)
  %t:3 = call @layer(%m, %w, %y) : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>)
      -> (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>)
  %u:3 = call @layer(%m, %w, %y) : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>)
      -> (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>)
  call @layer_back(%u#0, %u#1, %u#2, %d)
      : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) -> ()
  call @layer_back(%t#0, %t#1, %t#2, %d)
      : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) -> ()
  call @layer_back(%s#0, %s#1, %s#2, %d)
      : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) -> ()
  return
}
}
