// RUN: pebble-opt %s --pebble-print-footprint -o /dev/null | FileCheck %s

// Live bytes, as docs/PebbleGame.md counts them.

// CHECK-LABEL: footprint of @operands_and_results_live_while_the_op_runs:
// CHECK-NEXT:   peak 192 bytes in the compute tier at step 1 math.exp %b
// CHECK-NEXT:   made here 128 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 math.exp %a: 128 bytes
// CHECK-NEXT:   step 1 math.exp %b: 192 bytes
// CHECK-NEXT:   step 2 math.exp %c: 192 bytes
// CHECK-NEXT:   s0 %x: footprint 64, live from 0 to 2
// CHECK-NEXT:   s1 %a: footprint 64, live from 0 to 1
// CHECK-NEXT:   s2 %b: footprint 64, live from 1 to 2
// CHECK-NEXT:   s3 %c: footprint 64, live from 2 to 2
func.func @operands_and_results_live_while_the_op_runs(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = math.exp %x : tensor<16xf32>
  %b = math.exp %a : tensor<16xf32>
  %c = math.exp %b : tensor<16xf32>
  return %c : tensor<16xf32>
}

// CHECK-LABEL: footprint of @sizes_are_rounded_up_to_64:
// CHECK-NEXT:   peak 320 bytes in the compute tier at step 0 math.exp %a
// CHECK-NEXT:   made here 128 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 math.exp %a: 320 bytes
// CHECK-NEXT:   s0 %x: footprint 128, live from 0 to 0
// CHECK-NEXT:   s1 %y: footprint 64, live from 0 to 0
// CHECK-NEXT:   s2 %a: footprint 128, live from 0 to 0
func.func @sizes_are_rounded_up_to_64(%x: tensor<17xf32>, %y: tensor<f32>) -> tensor<17xf32> {
  %a = math.exp %x : tensor<17xf32>
  return %a : tensor<17xf32>
}

// CHECK-LABEL: footprint of @donated_argument_lives_until_its_last_use:
// CHECK-NEXT:   peak 128 bytes in the compute tier at step 0 math.exp %a
// CHECK-NEXT:   made here 128 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 math.exp %a: 128 bytes
// CHECK-NEXT:   step 1 math.exp %b: 128 bytes
// CHECK-NEXT:   step 2 math.exp %c: 128 bytes
// CHECK-NEXT:   s0 %x: footprint 64, live from 0 to 0
// CHECK-NEXT:   s1 %a: footprint 64, live from 0 to 1
// CHECK-NEXT:   s2 %b: footprint 64, live from 1 to 2
// CHECK-NEXT:   s3 %c: footprint 64, live from 2 to 2
func.func @donated_argument_lives_until_its_last_use(%x: tensor<16xf32> {pebble.donated}) -> tensor<16xf32> {
  %a = math.exp %x : tensor<16xf32>
  %b = math.exp %a : tensor<16xf32>
  %c = math.exp %b : tensor<16xf32>
  return %c : tensor<16xf32>
}

// CHECK-LABEL: footprint of @unused_donated_argument_is_never_live:
// CHECK-NEXT:   peak 128 bytes in the compute tier at step 0 math.exp %a
// CHECK-NEXT:   made here 64 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 math.exp %a: 128 bytes
// CHECK-NEXT:   s0 %x: footprint 64, never live
// CHECK-NEXT:   s1 %y: footprint 64, live from 0 to 0
// CHECK-NEXT:   s2 %a: footprint 64, live from 0 to 0
func.func @unused_donated_argument_is_never_live(%x: tensor<16xf32> {pebble.donated}, %y: tensor<16xf32>) -> tensor<16xf32> {
  %a = math.exp %y : tensor<16xf32>
  return %a : tensor<16xf32>
}

// CHECK-LABEL: footprint of @in_place_result_is_no_second_allocation:
// CHECK-NEXT:   peak 64 bytes in the compute tier at step 0 linalg.exp %a
// CHECK-NEXT:   made here 0 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 linalg.exp %a: 64 bytes
// CHECK-NEXT:   s0 %x: footprint 64, live from 0 to 0
func.func @in_place_result_is_no_second_allocation(%x: tensor<16xf32> {pebble.donated}) -> tensor<16xf32> {
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%x : tensor<16xf32>) -> tensor<16xf32>
  return %a : tensor<16xf32>
}

// CHECK-LABEL: footprint of @constants_are_apart:
// CHECK-NEXT:   peak 128 bytes in the compute tier at step 0 arith.mulf %a
// CHECK-NEXT:   made here 64 bytes, constants 64 bytes
// CHECK-NEXT:   step 0 arith.mulf %a: 128 bytes
// CHECK-NEXT:   s0 %x: footprint 64, live from 0 to 0
// CHECK-NEXT:   s2 %a: footprint 64, live from 0 to 0
func.func @constants_are_apart(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c = arith.constant dense<2.0> : tensor<16xf32>
  %a = arith.mulf %x, %c : tensor<16xf32>
  return %a : tensor<16xf32>
}

// CHECK-LABEL: footprint of @allocation_lives_from_first_to_last_access:
// CHECK-NEXT:   peak 128 bytes in the compute tier at step 1 linalg.fill at footprint.mlir:[[@LINE+11]]
// CHECK-NEXT:   made here 64 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 linalg.fill at footprint.mlir:[[@LINE+8]]: 64 bytes
// CHECK-NEXT:   step 1 linalg.fill at footprint.mlir:[[@LINE+8]]: 128 bytes
// CHECK-NEXT:   step 2 linalg.exp {{.*}}: 128 bytes
// CHECK-NEXT:   step 3 linalg.fill {{.*}}: 64 bytes
// CHECK-NEXT:   s0 %m: footprint 64, live from 0 to 3
// CHECK-NEXT:   s1 %t: footprint 64, live from 1 to 2
func.func @allocation_lives_from_first_to_last_access(%m: memref<16xf32>, %v: f32) {
  %t = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<16xf32>)
  linalg.fill ins(%v : f32) outs(%t : memref<16xf32>)
  linalg.exp ins(%t : memref<16xf32>) outs(%m : memref<16xf32>)
  memref.dealloc %t : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<16xf32>)
  return
}

// CHECK-LABEL: footprint of @dead_result_lives_for_its_op:
// CHECK-NEXT:   peak 128 bytes in the compute tier at step 0 math.exp %dead
// CHECK-NEXT:   made here 64 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 math.exp %dead: 128 bytes
// CHECK-NEXT:   step 1 math.exp %a: 128 bytes
// CHECK-NEXT:   s0 %x: footprint 64, live from 0 to 1
// CHECK-NEXT:   s1 %dead: footprint 64, live from 0 to 0
// CHECK-NEXT:   s2 %a: footprint 64, live from 1 to 1
func.func @dead_result_lives_for_its_op(%x: tensor<16xf32>) -> tensor<16xf32> {
  %dead = math.exp %x : tensor<16xf32>
  %a = math.exp %x : tensor<16xf32>
  return %a : tensor<16xf32>
}

// CHECK-LABEL: footprint of @scratch_counts_while_the_loop_runs:
// CHECK-NEXT:   peak 256 bytes in the compute tier at step 0 scf.for %r
// CHECK-NEXT:   made here 192 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 scf.for %r: 256 bytes, scratch 128
// CHECK-NEXT:   s0 %x: footprint 64, live from 0 to 0
// CHECK-NEXT:   s1 %r: footprint 64, live from 0 to 0
func.func @scratch_counts_while_the_loop_runs(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> tensor<16xf32> {
    %a = math.exp %s : tensor<16xf32>
    %b = math.exp %a : tensor<16xf32>
    scf.yield %b : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}

// CHECK-LABEL: footprint of @nothing_runs:
// CHECK-NEXT:   peak 64 bytes in the compute tier
// CHECK-NEXT:   made here 0 bytes, constants 0 bytes
// CHECK-NEXT:   s0 %x: footprint 64, never live
func.func @nothing_runs(%x: tensor<16xf32>) -> tensor<16xf32> {
  return %x : tensor<16xf32>
}

// CHECK-LABEL: footprint of @effect_edge_keeps_nothing_alive:
// CHECK-NEXT:   peak 8192 bytes in the compute tier at step 0 math.exp %a
// CHECK-NEXT:   made here 4096 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 math.exp %a: 8192 bytes
// CHECK-NEXT:   step 1 t.reduce %s: 8192 bytes
// CHECK-NEXT:   step 2 math.exp %b: 8192 bytes
// CHECK-NEXT:   step 3 t.print at footprint.mlir:[[@LINE+8]]: 8192 bytes
// CHECK-NEXT:   s0 %x: footprint 4096, live from 0 to 3
// CHECK-NEXT:   s1 %a: footprint 4096, live from 0 to 1
// CHECK-NEXT:   s2 %b: footprint 4096, live from 2 to 3
func.func @effect_edge_keeps_nothing_alive(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %a = math.exp %x : tensor<1024xf32>
  %s = "t.reduce"(%a) : (tensor<1024xf32>) -> f32
  %b = math.exp %x : tensor<1024xf32>
  "t.print"(%s) : (f32) -> ()
  return %b : tensor<1024xf32>
}
