// RUN: pebble-opt %s --pebble-print-dependences -o /dev/null | FileCheck %s

memref.global "private" @state : memref<8xf32> = uninitialized
func.func private @unknown()

// CHECK-LABEL: dependences of @hazards_of_one_buffer: 3 flow, 2 anti, 1 output, 0 effect
// CHECK-NEXT: flow: step 0 linalg.exp {{.*}} before step 1 linalg.abs {{.*}}, on y
// CHECK-NEXT: anti: step 0 linalg.exp {{.*}} before step 2 linalg.negf {{.*}}, on x
// CHECK-NEXT: flow: step 1 linalg.abs {{.*}} before step 2 linalg.negf {{.*}}, on z
// CHECK-NEXT: output: step 0 linalg.exp {{.*}} before step 3 linalg.exp {{.*}}, on y
// CHECK-NEXT: flow: step 1 linalg.abs {{.*}} before step 3 linalg.exp {{.*}}, on z
// CHECK-NEXT: anti: step 1 linalg.abs {{.*}} before step 3 linalg.exp {{.*}}, on y
func.func @hazards_of_one_buffer(%x: memref<8xf32> {llvm.noalias, pebble.name = "x"},
                                 %y: memref<8xf32> {llvm.noalias, pebble.name = "y"},
                                 %z: memref<8xf32> {llvm.noalias, pebble.name = "z"}) {
  linalg.exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  linalg.abs ins(%y : memref<8xf32>) outs(%z : memref<8xf32>)
  linalg.negf ins(%z : memref<8xf32>) outs(%x : memref<8xf32>)
  linalg.exp ins(%z : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// A call of something unknown is a barrier for memory, not for tensors; but it
// may not come back, so that what may fail (the index may be out of bounds)
// stays behind it.
// CHECK-LABEL: dependences of @barriers: 1 flow, 0 anti, 1 output, 3 effect
// CHECK-NEXT: effect: step 0 memref.store at print-dependences.mlir:[[@LINE+8]] before step 1 unknown
// CHECK-NEXT: output: step 0 memref.store at print-dependences.mlir:[[@LINE+7]] before step 2 memref.store at print-dependences.mlir:[[@LINE+9]], on @state
// CHECK-NEXT: effect: step 1 unknown before step 2 memref.store at print-dependences.mlir:[[@LINE+8]]
// CHECK-NEXT: effect: step 1 unknown before step 4 tensor.extract {{.*}}
// CHECK-NEXT: flow: step 3 tensor.splat t before step 4 tensor.extract {{.*}}, on t
// CHECK-NEXT: barrier: step 1 unknown: 'func.call' calls a function whose effects are not known
func.func @barriers(%v: f32, %i: index) -> f32 {
  %g = memref.get_global @state : memref<8xf32>
  memref.store %v, %g[%i] : memref<8xf32>
  call @unknown() : () -> ()
  memref.store %v, %g[%i] : memref<8xf32>
  %t = tensor.splat %v {pebble.name = "t"} : tensor<8xf32>
  %r = tensor.extract %t[%i] : tensor<8xf32>
  return %r : f32
}

// A copy into a storage of its own has no effects.
// CHECK-LABEL: dependences of @copies_are_no_barriers: 1 flow, 0 anti, 1 output, 0 effect
// CHECK-NOT: barrier
func.func @copies_are_no_barriers(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = bufferization.alloc_tensor() copy(%x) : tensor<8xf32>
  %d = bufferization.alloc_tensor() copy(%x) : tensor<8xf32>
  %e = linalg.exp ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  return %c, %e : tensor<8xf32>, tensor<8xf32>
}
