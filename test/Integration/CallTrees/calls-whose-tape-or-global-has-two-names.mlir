// What a second run would hand on must be what the first one did. A tape that is an argument, or that others overwrite,
// and a global that has two names, keep the call split. What the body of an operation reads needs a snapshot like
// everything else, and so does a buffer of no elements.
// RUN: pebble-opt %s --pebble-checkpoint-calls=mode=joint -o %t.mlir --remarks-filter=pebble-checkpoint-calls 2>&1 | FileCheck %s
// RUN: pebble-opt %s --pebble-checkpoint-calls="mode=joint snapshot-tier=host" -o %t.host.mlir
// RUN: pebble-opt %t.mlir -cse -canonicalize -o %t.after.mlir
// RUN: pebble-run %s --entry=argument --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.mlir --entry=argument --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.host.mlir --entry=argument --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --entry=argument --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %s --entry=view --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.mlir --entry=view --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.host.mlir --entry=view --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --entry=view --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %s --entry=shared --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.mlir --entry=shared --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.host.mlir --entry=shared --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --entry=shared --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %s --entry=names --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.mlir --entry=names --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.host.mlir --entry=names --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --entry=names --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %s --entry=inside --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.mlir --entry=inside --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.host.mlir --entry=inside --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --entry=inside --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %s --entry=body --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.mlir --entry=body --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.host.mlir --entry=body --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --entry=body --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %s --entry=none --json=%t.json && grep sha256 %t.json > %t.sum
// RUN: pebble-run %t.mlir --entry=none --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.host.mlir --entry=none --json=%t.json && grep sha256 %t.json | diff - %t.sum
// RUN: pebble-run %t.after.mlir --entry=none --json=%t.json && grep sha256 %t.json | diff - %t.sum

// CHECK-DAG: the call of '@argument_f' keeps its tape: {{.*}}its tape is a buffer that needs a snapshot
// CHECK-DAG: the call of '@view_f' keeps its tape: {{.*}}its tape is a buffer that needs a snapshot
// CHECK-DAG: the call of '@shared_f' keeps its tape: {{.*}}its tape is a buffer that others overwrite
// CHECK-DAG: the call of '@names_f' keeps its tape: {{.*}}it is given one buffer twice
// CHECK-DAG: the call of '@inside_f' keeps its tape: {{.*}}it is given one buffer twice
// CHECK-DAG: calls of '@body': body_f joint
// CHECK-DAG: calls of '@none': none_f joint

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"hbm", kind = explicit, bandwidth = 100000>, <"host", kind = explicit, bandwidth = 10000>]>} {
memref.global "private" @g : memref<4xf32> = dense<0.5>
func.func private @argument_f(%m: memref<4xf32>, %w: memref<4xf32>) -> memref<4xf32>
    attributes {pebble.adjoint = {backward = @argument_back, results = 0 : i64}} {
  %t = memref.alloc() : memref<4xf32>
  linalg.mul ins(%m, %w : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.tanh ins(%t : memref<4xf32>) outs(%m : memref<4xf32>)
  memref.dealloc %t : memref<4xf32>
  return %m : memref<4xf32>
}
func.func private @argument_back(%t: memref<4xf32>, %d: memref<4xf32>) {
  linalg.mul ins(%d, %t : memref<4xf32>, memref<4xf32>) outs(%d : memref<4xf32>)
  return
}
func.func @argument(%m: memref<4xf32> {llvm.noalias}, %w: memref<4xf32> {llvm.noalias},
    %d: memref<4xf32> {llvm.noalias}) {
  %s = call @argument_f(%m, %w) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  call @argument_back(%s, %d) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @view_f(%m: memref<4xf32>, %w: memref<4xf32>) -> memref<2xf32, strided<[1]>>
    attributes {pebble.adjoint = {backward = @view_back, results = 0 : i64}} {
  %t = memref.alloc() : memref<4xf32>
  linalg.mul ins(%m, %w : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.tanh ins(%t : memref<4xf32>) outs(%m : memref<4xf32>)
  %tt = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
 memref.dealloc %t : memref<4xf32>
  return %tt : memref<2xf32, strided<[1]>>
}
func.func private @view_back(%t: memref<2xf32, strided<[1]>>, %d: memref<4xf32>) {
  %e = memref.subview %d[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.copy %t, %e : memref<2xf32, strided<[1]>> to memref<2xf32, strided<[1]>>
  return
}
func.func @view(%m: memref<4xf32> {llvm.noalias}, %w: memref<4xf32> {llvm.noalias},
    %d: memref<4xf32> {llvm.noalias}) {
  %s = call @view_f(%m, %w) : (memref<4xf32>, memref<4xf32>) -> memref<2xf32, strided<[1]>>
  linalg.exp ins(%w : memref<4xf32>) outs(%m : memref<4xf32>)
  call @view_back(%s, %d) : (memref<2xf32, strided<[1]>>, memref<4xf32>) -> ()
  return
}
func.func private @shared_f(%m: memref<4xf32>, %w: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
    attributes {pebble.adjoint = {backward = @shared_back, results = 1 : i64}} {
  %t = memref.alloc() : memref<4xf32>
  linalg.mul ins(%m, %w : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.tanh ins(%t : memref<4xf32>) outs(%m : memref<4xf32>)
  return %t, %t : memref<4xf32>, memref<4xf32>
}
func.func private @shared_back(%t: memref<4xf32>, %d: memref<4xf32>) {
  linalg.mul ins(%d, %t : memref<4xf32>, memref<4xf32>) outs(%d : memref<4xf32>)
  return
}
func.func @shared(%m: memref<4xf32> {llvm.noalias}, %w: memref<4xf32> {llvm.noalias},
    %d: memref<4xf32> {llvm.noalias}) {
  %r, %s = call @shared_f(%m, %w) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  linalg.exp ins(%w : memref<4xf32>) outs(%r : memref<4xf32>)
  call @shared_back(%s, %d) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @names_f(%m: memref<4xf32>, %w: memref<4xf32>) -> memref<4xf32>
    attributes {pebble.adjoint = {backward = @names_back, results = 0 : i64}} {
  %t = memref.alloc() : memref<4xf32>
  linalg.mul ins(%m, %w : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.tanh ins(%t : memref<4xf32>) outs(%m : memref<4xf32>)
  return %t : memref<4xf32>
}
func.func private @names_back(%t: memref<4xf32>, %d: memref<4xf32>) {
  linalg.mul ins(%d, %t : memref<4xf32>, memref<4xf32>) outs(%d : memref<4xf32>)
  return
}
func.func @names(%m: memref<4xf32> {llvm.noalias}, %w: memref<4xf32> {llvm.noalias},
    %d: memref<4xf32> {llvm.noalias}) {
  %g1 = memref.get_global @g : memref<4xf32>
  %g2 = memref.get_global @g : memref<4xf32>
  %s = call @names_f(%g1, %g2) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  call @names_back(%s, %d) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @inside_f(%m: memref<4xf32>, %w: memref<4xf32>) -> memref<4xf32>
    attributes {pebble.adjoint = {backward = @inside_back, results = 0 : i64}} {
  %g = memref.get_global @g : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  linalg.mul ins(%m, %g : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.tanh ins(%t : memref<4xf32>) outs(%m : memref<4xf32>)
  return %t : memref<4xf32>
}
func.func private @inside_back(%t: memref<4xf32>, %d: memref<4xf32>) {
  linalg.mul ins(%d, %t : memref<4xf32>, memref<4xf32>) outs(%d : memref<4xf32>)
  return
}
func.func @inside(%m: memref<4xf32> {llvm.noalias}, %w: memref<4xf32> {llvm.noalias},
    %d: memref<4xf32> {llvm.noalias}) {
  %g1 = memref.get_global @g : memref<4xf32>
  %s = call @inside_f(%g1, %w) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  call @inside_back(%s, %d) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @body_f(%m: memref<4xf32>, %w: memref<4xf32>) -> memref<4xf32>
    attributes {pebble.adjoint = {backward = @body_back, results = 0 : i64}} {
  %t = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%t : memref<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %x = memref.load %m[%i] : memref<4xf32>
    %y = memref.load %w[%i] : memref<4xf32>
    %z = arith.mulf %x, %y : f32
    linalg.yield %z : f32
  }
  linalg.tanh ins(%t : memref<4xf32>) outs(%m : memref<4xf32>)
  return %t : memref<4xf32>
}
func.func private @body_back(%t: memref<4xf32>, %d: memref<4xf32>) {
  linalg.mul ins(%d, %t : memref<4xf32>, memref<4xf32>) outs(%d : memref<4xf32>)
  return
}
func.func @body(%m: memref<4xf32> {llvm.noalias}, %w: memref<4xf32> {llvm.noalias},
    %d: memref<4xf32> {llvm.noalias}) {
  %s = call @body_f(%m, %w) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  linalg.exp ins(%m : memref<4xf32>) outs(%w : memref<4xf32>)
  call @body_back(%s, %d) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func private @none_f(%m: memref<0xf32>, %w: memref<0xf32>) -> memref<0xf32>
    attributes {pebble.adjoint = {backward = @none_back, results = 0 : i64}} {
  %t = memref.alloc() : memref<0xf32>
  linalg.mul ins(%m, %w : memref<0xf32>, memref<0xf32>) outs(%t : memref<0xf32>)
  linalg.tanh ins(%t : memref<0xf32>) outs(%m : memref<0xf32>)
  return %t : memref<0xf32>
}
func.func private @none_back(%t: memref<0xf32>, %d: memref<0xf32>) {
  linalg.mul ins(%d, %t : memref<0xf32>, memref<0xf32>) outs(%d : memref<0xf32>)
  return
}
func.func @none(%m: memref<0xf32> {llvm.noalias}, %w: memref<0xf32> {llvm.noalias},
    %d: memref<0xf32> {llvm.noalias}) {
  %s = call @none_f(%m, %w) : (memref<0xf32>, memref<0xf32>) -> memref<0xf32>
  linalg.exp ins(%m : memref<0xf32>) outs(%w : memref<0xf32>)
  call @none_back(%s, %d) : (memref<0xf32>, memref<0xf32>) -> ()
  return
}
}
