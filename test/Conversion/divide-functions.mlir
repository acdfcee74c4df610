// RUN: pebble-opt %s --pebble-divide-functions=length=3 | FileCheck %s
// RUN: pebble-opt %s --pebble-divide-functions | FileCheck %s --check-prefix=WHOLE
// RUN: not pebble-opt %s --pebble-divide-functions=length=0 2>&1 | FileCheck %s --check-prefix=BAD
// WHOLE-NOT: part
// BAD: error: 'length' takes a number of operations, above 0, but is 0

// It is cut where the fewest values cross, and each part makes the constants
// that it uses.
// CHECK-LABEL: func.func private @main.part(
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: memref<4xf32>) -> (memref<4xf32>, index)
// CHECK-DAG: arith.constant 0 : index
// CHECK-DAG: arith.constant 1.0
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK-NEXT: return %[[A]], %{{.*}} : memref<4xf32>, index
// CHECK-LABEL: func.func private @main.part_0(
// CHECK-DAG: arith.constant 0 : index
// CHECK-DAG: arith.constant 1.0
// CHECK: scf.for
// CHECK: return %{{.*}} : index
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[FIRST:.*]]:2 = call @main.part(
// CHECK-NEXT: %[[SECOND:.*]] = call @main.part_0(%[[FIRST]]#0, %{{.*}}, %[[FIRST]]#1)
// CHECK-NEXT: return %[[FIRST]]#0, %[[SECOND]]
func.func @main(%x: memref<4xf32>, %n: index) -> (memref<4xf32>, index) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %n1 = arith.addi %n, %n : index
  %v0 = memref.load %x[%zero] : memref<4xf32>
  %v1 = arith.addf %v0, %one : f32
  memref.store %v1, %a[%zero] : memref<4xf32>
  %step = arith.constant 1 : index
  %v2 = memref.load %a[%zero] : memref<4xf32>
  scf.for %i = %zero to %n step %step {
    %v3 = arith.addf %v2, %one : f32
    memref.store %v3, %a[%i] : memref<4xf32>
  }
  %n2 = arith.addi %n1, %n : index
  return %a, %n2 : memref<4xf32>, index
}

// A buffer on the stack goes with its function.
// CHECK-LABEL: func.func @on_the_stack
// CHECK: memref.alloca
// CHECK-NOT: call
// CHECK: return
func.func @on_the_stack(%x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %a = memref.alloca() : memref<4xf32>
  memref.store %x, %a[%zero] : memref<4xf32>
  %0 = memref.load %a[%zero] : memref<4xf32>
  %1 = arith.addf %0, %x : f32
  %2 = arith.addf %1, %x : f32
  %3 = arith.addf %2, %x : f32
  %4 = arith.addf %3, %x : f32
  %5 = arith.addf %4, %x : f32
  return %5 : f32
}

// The same in the words of LLVM, which is what is left of it by then.
// CHECK-LABEL: func.func @on_the_stack_of_llvm
// CHECK: llvm.alloca
// CHECK-NOT: call
// CHECK: return
func.func @on_the_stack_of_llvm(%x: f32) -> f32 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %a = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
  llvm.store %x, %a : f32, !llvm.ptr
  %1 = arith.addf %x, %x : f32
  %2 = arith.addf %1, %x : f32
  %3 = arith.addf %2, %x : f32
  %4 = arith.addf %3, %x : f32
  %0 = llvm.load %a : !llvm.ptr -> f32
  %5 = arith.addf %4, %0 : f32
  return %5 : f32
}
