// RUN: pebble-opt %s --pebble-print-storage -o /dev/null | FileCheck %s

// Which memrefs may be one buffer.

memref.global "private" @g : memref<4xf32> = dense<1.0>

// CHECK-LABEL: storage of @arguments_may_be_one_buffer:
// CHECK-NEXT:   s0 argument %a: 16 bytes
// CHECK-NEXT:   s1 argument %b: 16 bytes, may be s0
// CHECK-NEXT:   step 0 memref.store {{.*}}: writes s0 (4 bytes)
// CHECK-NEXT:   step 1 memref.load %x: reads s1 (4 bytes)
// CHECK-NEXT:   step 2 memref.store {{.*}}: writes s0 (4 bytes)
func.func @arguments_may_be_one_buffer(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) {
  %i = arith.constant 0 : index
  memref.store %v, %a[%i] : memref<4xf32>
  %x = memref.load %b[%i] : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  return
}

// CHECK-LABEL: storage of @noalias_arguments_are_apart:
// CHECK-NEXT:   s0 argument %a: 16 bytes
// CHECK-NEXT:   s1 argument %b: 16 bytes
// CHECK-NEXT:   step 0 memref.store {{.*}}: writes s0 (4 bytes)
// CHECK-NEXT:   step 1 memref.load %x: reads s1 (4 bytes)
func.func @noalias_arguments_are_apart(%a: memref<4xf32> {llvm.noalias}, %b: memref<4xf32> {llvm.noalias}, %v: f32) {
  %i = arith.constant 0 : index
  memref.store %v, %a[%i] : memref<4xf32>
  %x = memref.load %b[%i] : memref<4xf32>
  return
}

// CHECK-LABEL: storage of @allocations_are_apart:
// CHECK-NEXT:   s0 argument %a: 16 bytes
// CHECK-NEXT:   s1 local %m: 16 bytes
// CHECK-NEXT:   step 0 memref.store {{.*}}: writes s1 (4 bytes)
// CHECK-NEXT:   step 1 memref.store {{.*}}: writes s0 (4 bytes)
// CHECK-NEXT:   step 2 memref.load %x: reads s1 (4 bytes)
func.func @allocations_are_apart(%a: memref<4xf32>, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %x : f32
}

// Two SSA values, one symbol.
// CHECK-LABEL: storage of @two_handles_of_a_global_are_one:
// CHECK-NEXT:   s0 global @g: 16 bytes
// CHECK-NEXT:   step 0 memref.store {{.*}}: writes s0 (4 bytes)
// CHECK-NEXT:   step 1 memref.load %x: reads s0 (4 bytes)
func.func @two_handles_of_a_global_are_one(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.get_global @g : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %b = memref.get_global @g : memref<4xf32>
  %x = memref.load %b[%i] : memref<4xf32>
  return %x : f32
}

// CHECK-LABEL: storage of @select_may_be_either:
// CHECK-NEXT:   s0 local %a: 16 bytes
// CHECK-NEXT:   s1 local %b: 16 bytes
// CHECK-NEXT:   step 0 arith.select %s: holds s0, holds s1
// CHECK-NEXT:   step 1 memref.store {{.*}}: writes s0 (4 bytes), writes s1 (4 bytes)
// CHECK-NEXT:   step 2 memref.load %x: reads s1 (4 bytes)
func.func @select_may_be_either(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  memref.store %v, %s[%i] : memref<4xf32>
  %x = memref.load %b[%i] : memref<4xf32>
  return %x : f32
}

func.func private @make() -> memref<4xf32>

// CHECK-LABEL: storage of @unknown_result_may_be_an_argument:
// CHECK-NEXT:   s0 argument %a: 16 bytes
// CHECK-NEXT:   s1 unknown %m: 16 bytes, may be s0
// CHECK-NEXT:   step 0 make: writes s1
// CHECK-NEXT:     barrier: 'func.call' calls a function whose effects are not known
// CHECK-NEXT:   step 1 memref.store at memref-aliases.mlir:[[@LINE+4]]: writes s1 (4 bytes)
func.func @unknown_result_may_be_an_argument(%a: memref<4xf32>, %v: f32) {
  %i = arith.constant 0 : index
  %m = call @make() : () -> memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  return
}
