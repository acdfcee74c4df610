// RUN: pebble-opt %s --pebble-split-backward --split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-split-backward --split-input-file --remarks-filter=pebble-split-backward -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Stitching what was split gives the same function again.
// RUN: pebble-opt %S/Inputs/two-halves.mlir --pebble-stitch-backward="forward=f backward=b into=step" > %t-once.mlir
// RUN: pebble-opt %t-once.mlir --pebble-split-backward="forward=g backward=h" | sed s/@step/@caller/ | pebble-opt --pebble-stitch-backward="forward=g backward=h into=step" | sed -e '/@caller/,/^  }/d' -e 's/backward = "h", forward = "g"/backward = "b", forward = "f"/' > %t-twice.mlir
// RUN: grep -v 'func.func private' %t-twice.mlir | FileCheck %s --check-prefix=TWICE
// TWICE: func.func @step
// TWICE: %[[E:.*]] = math.exp
// TWICE: %[[Y:.*]] = math.sin %[[E]]
// TWICE: %[[D:.*]] = arith.mulf %{{.*}}, %[[E]]
// TWICE: return %[[Y]], %[[D]]

// What is computed again is not saved; what is saved has one name on both
// sides, and belongs to the backward function if nobody else needs it.
// REMARK: 'f' saves 2 value(s) for 'b', 128 bytes
// CHECK-LABEL: func.func private @f(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>)
// CHECK-SAME: -> (tensor<8xf32> {pebble.name = "loss"}, tensor<8xf32> {pebble.name = "saved0"}, tensor<8xf32> {pebble.name = "s"})
// CHECK: %[[E:.*]] = math.exp %[[X]]
// CHECK: %[[S:.*]] = math.sin %[[E]]
// CHECK-NEXT: pebble.drop %[[E]]
// CHECK-NEXT: %[[C:.*]] = math.cos %[[S]]
// CHECK-NEXT: return %[[C]], %[[X]], %[[S]]
// CHECK-LABEL: func.func private @b(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32> {pebble.name = "saved0"}, %[[S:[a-z0-9]+]]: tensor<8xf32> {pebble.donated, pebble.name = "s"}, %[[D:[a-z0-9]+]]: tensor<8xf32>)
// CHECK-NEXT: %[[O:.*]] = pebble.opaque %[[X]]
// CHECK-NEXT: %[[E:.*]] = math.exp %[[O]]
// CHECK-NEXT: %[[A:.*]] = arith.mulf %[[D]], %[[S]]
// CHECK-NEXT: pebble.drop %[[S]]
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[E]]
// CHECK-NEXT: return %[[B]]
// CHECK-LABEL: func.func @recomputed(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[D:[a-z0-9]+]]: tensor<8xf32>)
// CHECK-NOT: pebble.stitched
// CHECK-NEXT: %[[F:.*]]:3 = call @f(%[[X]])
// CHECK-NEXT: %[[B:.*]] = call @b(%[[F]]#1, %[[F]]#2, %[[D]])
// CHECK-NEXT: return %[[F]]#0, %[[B]]
func.func @recomputed(%x: tensor<8xf32>, %d: tensor<8xf32>) -> (tensor<8xf32> {pebble.name = "loss"}, tensor<8xf32>)
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 1, results = 1}} {
  %e = math.exp %x : tensor<8xf32>
  %s = math.sin %e {pebble.name = "s"} : tensor<8xf32>
  pebble.drop %e : tensor<8xf32>
  %c = math.cos %s : tensor<8xf32>
  %o = pebble.opaque %x : tensor<8xf32>
  %e2 = math.exp %o : tensor<8xf32>
  %a = arith.mulf %d, %s : tensor<8xf32>
  pebble.drop %s : tensor<8xf32>
  %b = arith.mulf %a, %e2 : tensor<8xf32>
  return %c, %b : tensor<8xf32>, tensor<8xf32>
}

// -----

// Constants, empty destinations, other shapes, and slices of what is saved
// anyway are made again. %e has a second name that outlives, so it stays the
// forward function's.
// REMARK: 'f' saves 2 value(s) for 'b', 128 bytes
// CHECK-LABEL: func.func private @f(
// CHECK: return %{{.*}}, %{{.*}}, %[[E:.*]], %[[S:[a-z0-9]+]] : tensor<4x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
// CHECK-LABEL: func.func private @b(
// CHECK-SAME: %[[E:[a-z0-9]+]]: tensor<8xf32> {pebble.name = "saved0"}, %[[S:[a-z0-9]+]]: tensor<8xf32> {pebble.donated, pebble.name = "saved1"}, %[[D:[a-z0-9]+]]: tensor<4x2xf32>)
// CHECK-DAG: tensor.expand_shape %[[E]]
// CHECK-DAG: tensor.extract_slice %[[S]]
// CHECK-DAG: arith.constant dense<2.0{{.*}}> : tensor<4x2xf32>
// CHECK: return
func.func @made_again(%x: tensor<8xf32>, %d: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<2xf32>)
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 1, results = 2}} {
  %two = arith.constant dense<2.0> : tensor<4x2xf32>
  %e = math.exp %x : tensor<8xf32>
  %shape = tensor.expand_shape %e [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
  %s = math.sin %x : tensor<8xf32>
  %loss = math.exp %s : tensor<8xf32>
  %part = tensor.extract_slice %s[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %a = arith.mulf %d, %shape : tensor<4x2xf32>
  %b = arith.mulf %a, %two : tensor<4x2xf32>
  %flat = tensor.collapse_shape %b [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %all = arith.mulf %flat, %s : tensor<8xf32>
  %c = tensor.expand_shape %all [[0, 1]] output_shape [4, 2] : tensor<8xf32> into tensor<4x2xf32>
  %p = math.exp %part : tensor<2xf32>
  return %shape, %loss, %c, %p : tensor<4x2xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<2xf32>
}

// -----

// What the forward function's own results need comes forward, past operations
// of the backward function; a storage that backward would only drop ends in
// forward; a donated argument goes through.
// REMARK: 'f' saves 1 value(s) for 'b', 64 bytes
// CHECK-LABEL: func.func private @f(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[W:[a-z0-9]+]]: tensor<8xf32> {pebble.donated})
// CHECK-NEXT: %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT: %[[L:.*]] = math.sin %[[E]]
// CHECK-NEXT: pebble.drop %[[E]]
// CHECK-NEXT: return %[[L]], %[[W]]
// CHECK-LABEL: func.func private @b(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8xf32> {pebble.donated, pebble.name = "saved0"}, %[[D:[a-z0-9]+]]: tensor<8xf32>)
// CHECK-NEXT: %[[G:.*]] = math.cos %[[D]]
// CHECK-NEXT: %[[N:.*]] = arith.subf %[[W]], %[[G]]
// CHECK-NEXT: return %[[N]]
func.func @loss_comes_late(%x: tensor<8xf32>, %w: tensor<8xf32> {pebble.donated}, %d: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {pebble.stitched = {forward = "f", backward = "b", arguments = 2, results = 1}} {
  %e = math.exp %x : tensor<8xf32>
  %g = math.cos %d : tensor<8xf32>
  %loss = math.sin %e : tensor<8xf32>
  pebble.drop %e : tensor<8xf32>
  %new = arith.subf %w, %g : tensor<8xf32>
  return %loss, %new : tensor<8xf32>, tensor<8xf32>
}
