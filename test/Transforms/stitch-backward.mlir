// RUN: pebble-opt %s --pebble-stitch-backward="forward=forward backward=backward into=step" | FileCheck %s
// RUN: pebble-opt %s --pebble-stitch-backward="forward=by_place backward=by_place_back into=step pair-by=position first-saved-result=1 first-saved-argument=1" | FileCheck %s --check-prefix=PLACE
// RUN: pebble-opt %s --pebble-stitch-backward="forward=called backward=called_back into=step" | FileCheck %s --check-prefix=CALLED
// RUN: pebble-opt %s --pebble-stitch-backward="forward=aliasing backward=aliasing_back into=step" | FileCheck %s --check-prefix=ALIASING
// RUN: pebble-opt %s --pebble-stitch-backward="forward=forward backward=backward into=step" --remarks-filter=pebble-stitch-backward -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: 'step' wires 3 saved value(s); 1 unused operation(s) removed

// Results of the new function: those of forward that are not saved, then those
// of backward. Names pair, not places; a value may be saved twice, an argument
// too; what backward does not use is not computed.
// CHECK-LABEL: func.func @step(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32> {pebble.name = "x"}, %[[DY:[a-z0-9]+]]: tensor<8xf32>)
// CHECK-SAME: -> (tensor<8xf32> {pebble.name = "y"}, tensor<8xf32> {pebble.name = "dx"})
// CHECK-SAME: pebble.stitched = {arguments = 1 : i64, backward = "backward", forward = "forward", results = 1 : i64}
// CHECK-NEXT: %[[E:.*]] = math.exp %[[X]]
// CHECK-NEXT: %[[Y:.*]] = math.sin %[[E]]
// CHECK-NEXT: %[[A:.*]] = arith.mulf %[[DY]], %[[E]]
// CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[X]]
// CHECK-NEXT: return %[[Y]], %[[B]]
// CHECK-NOT: func.func @forward
// CHECK-NOT: func.func @backward
func.func @forward(%x: tensor<8xf32> {pebble.name = "x"})
    -> (tensor<8xf32> {pebble.name = "saved x"}, tensor<8xf32> {pebble.name = "y"},
        tensor<8xf32> {pebble.name = "unused"}, tensor<8xf32> {pebble.name = "e"}) {
  %e = math.exp %x : tensor<8xf32>
  %y = math.sin %e : tensor<8xf32>
  %unused = math.cos %e : tensor<8xf32>
  return %x, %y, %unused, %e : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func @backward(%e: tensor<8xf32> {pebble.name = "e"}, %dy: tensor<8xf32>,
    %unused: tensor<8xf32> {pebble.name = "unused"}, %x: tensor<8xf32> {pebble.name = "saved x"})
    -> (tensor<8xf32> {pebble.name = "dx"}) {
  %a = arith.mulf %dy, %e : tensor<8xf32>
  %b = arith.mulf %a, %x : tensor<8xf32>
  return %b : tensor<8xf32>
}

// PLACE-LABEL: func.func @step(
// PLACE-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[DY:[a-z0-9]+]]: f32, %[[LAST:[a-z0-9]+]]: tensor<8xf32>)
// PLACE: %[[E:.*]] = math.exp %[[X]]
// PLACE-NEXT: %[[C:.*]] = math.cos %[[E]]
// PLACE-NEXT: %[[S:.*]] = tensor.splat %[[DY]]
// PLACE-NEXT: %[[A:.*]] = arith.mulf %[[S]], %[[C]]
// PLACE-NEXT: %[[B:.*]] = arith.subf %[[A]], %[[LAST]]
// PLACE-NEXT: return %[[E]], %[[B]]
func.func @by_place(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = math.exp %x : tensor<8xf32>
  %c = math.cos %e : tensor<8xf32>
  return %e, %c : tensor<8xf32>, tensor<8xf32>
}
func.func @by_place_back(%dy: f32, %c: tensor<8xf32>, %last: tensor<8xf32>) -> tensor<8xf32> {
  %s = tensor.splat %dy : tensor<8xf32>
  %a = arith.mulf %s, %c : tensor<8xf32>
  %b = arith.subf %a, %last : tensor<8xf32>
  return %b : tensor<8xf32>
}

// A half that somebody else calls stays; effects keep their order.
// CALLED-LABEL: func.func @step(
// CALLED: memref.store %{{.*}}, %[[M:.*]][]
// CALLED-NEXT: memref.load
// CALLED: memref.store
// CALLED-NOT: func.func @called(
// CALLED: func.func @called_back(
func.func @called(%m: memref<f32>, %x: f32) -> (memref<f32> {pebble.name = "m"}) {
  memref.store %x, %m[] : memref<f32>
  return %m : memref<f32>
}
func.func @called_back(%m: memref<f32> {pebble.name = "m"}, %dy: f32) {
  %x = memref.load %m[] : memref<f32>
  %y = arith.mulf %x, %dy : f32
  memref.store %y, %m[] : memref<f32>
  return
}
func.func @caller(%m: memref<f32>, %dy: f32) {
  call @called_back(%m, %dy) : (memref<f32>, f32) -> ()
  return
}

// An argument that shared its buffer with result 2 shares it with what that
// result is now; with a result that is gone, it is still given away.
// ALIASING-LABEL: func.func @step(
// ALIASING-SAME: %{{[a-z0-9]+}}: tensor<8xf32> {tf.aliasing_output = 1 : i32}
// ALIASING-SAME: %{{[a-z0-9]+}}: tensor<8xf32> {pebble.donated}
// ALIASING-SAME: %{{[a-z0-9]+}}: tensor<8xf32> {tf.aliasing_output = 2 : i32}
func.func @aliasing(%a: tensor<8xf32> {tf.aliasing_output = 2 : i32}, %b: tensor<8xf32> {tf.aliasing_output = 1 : i32})
    -> (tensor<8xf32>, tensor<8xf32> {pebble.name = "b"}, tensor<8xf32>) {
  %e = math.exp %a : tensor<8xf32>
  return %e, %b, %a : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
func.func @aliasing_back(%b: tensor<8xf32> {pebble.name = "b"}, %dy: tensor<8xf32> {tf.aliasing_output = 0 : i32})
    -> tensor<8xf32> {
  %d = arith.mulf %dy, %b : tensor<8xf32>
  return %d : tensor<8xf32>
}
