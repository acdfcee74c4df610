// RUN: pebble-opt --allow-unregistered-dialect --pebble-bufferize --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: func.func @destinations_become_buffers
// CHECK-SAME: (%[[X:.*]]: memref<8xf32>, %[[D:.*]]: memref<8xf32> {pebble.donated}) -> memref<8xf32>
func.func @destinations_become_buffers(%x: tensor<8xf32>, %d: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32> {
  // CHECK-NEXT: %[[A:.*]] = memref.alloc() : memref<8xf32>
  // CHECK-NEXT: linalg.exp ins(%[[X]] : memref<8xf32>) outs(%[[A]] : memref<8xf32>)
  // CHECK-NEXT: linalg.add ins(%[[A]], %[[X]] : memref<8xf32>, memref<8xf32>) outs(%[[D]] : memref<8xf32>)
  // CHECK-NEXT: return %[[D]]
  %0 = bufferization.alloc_tensor() : tensor<8xf32>
  %1 = linalg.exp ins(%x : tensor<8xf32>) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.add ins(%1, %x : tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @callee_and_caller_change_together
func.func @callee_and_caller_change_together(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: call @callee({{.*}}) : (memref<8xf32>) -> memref<8xf32>
  %0 = call @callee(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// CHECK: func.func private @callee(memref<8xf32>) -> memref<8xf32>
func.func private @callee(tensor<8xf32>) -> tensor<8xf32>

// -----

// CHECK-LABEL: func.func @placed_tensors_become_placed_memrefs
// CHECK-SAME: memref<8xf32, #pebble.at<"blue">>
func.func @placed_tensors_become_placed_memrefs(%x: tensor<8xf32, #pebble.at<"blue">>) {
  // CHECK: memref.alloc() : memref<8xf32>
  // CHECK: pebble.load %{{.*}} into %{{.*}} : memref<8xf32, #pebble.at<"blue">> -> memref<8xf32>
  %copy, %t = pebble.load %x : tensor<8xf32, #pebble.at<"blue">> -> tensor<8xf32>
  %y = pebble.wait %t for %copy : tensor<8xf32>
  return
}

// -----

func.func @unplanned_allocation_is_an_error(%x: tensor<4x4xf32>, %f: f32) -> tensor<6x6xf32> {
  // expected-error @below {{lowering this operation to buffers needs an allocation that the program does not show}}
  %0 = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// -----

func.func @unknown_operation_is_an_error(%x: tensor<4xf32>) {
  // expected-error @below {{op was not bufferized}}
  // expected-note @below {{this operation can be analysed but not run}}
  "someone.else"(%x) : (tensor<4xf32>) -> ()
  return
}
