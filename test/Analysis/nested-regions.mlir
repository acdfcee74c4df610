// RUN: pebble-opt %s --pebble-print-storage -o /dev/null | FileCheck %s

// An op with regions is one step: what it captures it accesses, and what lives
// inside alone is its scratch.

// CHECK-LABEL: storage of @captured_buffer_is_read_by_the_loop:
// CHECK-NEXT:   s0 argument %m: 64 bytes
// CHECK-NEXT:   step 0 memref.store {{.*}}: writes s0 (4 bytes)
// CHECK-NEXT:   step 1 scf.for {{.*}}: writes s0 (4 bytes)
// CHECK-NEXT:   step 2 memref.load %x: reads s0 (4 bytes)
func.func @captured_buffer_is_read_by_the_loop(%m: memref<16xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %v, %m[%c0] : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %m[%i] : memref<16xf32>
  }
  %x = memref.load %m[%c0] : memref<16xf32>
  return %x : f32
}

// CHECK-LABEL: storage of @captured_tensor_is_read_by_the_region:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes
// CHECK-NEXT:   s2 local %r: 64 bytes, outlives
// CHECK-NEXT:   step 0 math.exp %a: reads s0, writes s1
// CHECK-NEXT:   step 1 scf.if %r: reads s1, reads s0, writes s2
func.func @captured_tensor_is_read_by_the_region(%x: tensor<16xf32>, %c: i1) -> tensor<16xf32> {
  %a = math.exp %x : tensor<16xf32>
  %r = scf.if %c -> tensor<16xf32> {
    %b = math.exp %a : tensor<16xf32>
    scf.yield %b : tensor<16xf32>
  } else {
    scf.yield %x : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// CHECK-LABEL: storage of @scratch_of_a_loop_is_its_body_s_peak:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %r: 64 bytes, outlives
// CHECK-NEXT:   step 0 scf.for %r: reads s0, writes s1
// CHECK-NEXT:     result 0 copies operand 3
// CHECK-NEXT:     scratch 192 bytes
func.func @scratch_of_a_loop_is_its_body_s_peak(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> tensor<16xf32> {
    %a = math.exp %s : tensor<16xf32>
    %b = math.exp %a : tensor<16xf32>
    %d = arith.addf %b, %a : tensor<16xf32>
    scf.yield %d : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// CHECK-LABEL: storage of @loop_overwrites_its_dead_state:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes, outlives
// CHECK-NEXT:   step 0 math.exp %a: reads s0, writes s1
// CHECK-NEXT:   step 1 scf.for %r: reads s1, writes s1
// CHECK-NEXT:     result 0 overwrites operand 3
func.func @loop_overwrites_its_dead_state(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %a = math.exp %x : tensor<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> tensor<16xf32> {
    %d = tensor.insert %f into %s[%i] : tensor<16xf32>
    scf.yield %d : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// CHECK-LABEL: storage of @alloc_inside_is_scratch:
// CHECK-NEXT:   step 0 scf.for at nested-regions.mlir:[[@LINE+5]]: touches nothing
// CHECK-NEXT:     scratch 256 bytes
func.func @alloc_inside_is_scratch(%n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc() : memref<64xf32>
    memref.store %v, %m[%i] : memref<64xf32>
    memref.dealloc %m : memref<64xf32>
  }
  return
}
