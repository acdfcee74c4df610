// RUN: pebble-opt %s --pebble-print-storage -o /dev/null | FileCheck %s

// What is not known to be free of effects keeps its place.

ml_program.global private mutable @state(dense<0> : tensor<4xi32>) : tensor<4xi32>

// CHECK-LABEL: storage of @unregistered_op_is_a_barrier:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %a: 64 bytes
// CHECK-NEXT:   s2 local %b: 64 bytes, outlives
// CHECK-NEXT:   step 0 shlo.exp %a: reads s0, writes s0 (0 bytes), writes s1
// CHECK-NEXT:     barrier: 'shlo.exp' is not registered and may have any effect
// CHECK-NEXT:   step 1 shlo.exp %b: reads s1, writes s1 (0 bytes), writes s2
// CHECK-NEXT:     barrier: 'shlo.exp' is not registered and may have any effect
// CHECK-NEXT:   step 2 shlo.trace at effects.mlir:[[@LINE+5]]: reads s2, writes s2 (0 bytes)
// CHECK-NEXT:     barrier: 'shlo.trace' is not registered and may have any effect
func.func @unregistered_op_is_a_barrier(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "shlo.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = "shlo.exp"(%a) : (tensor<16xf32>) -> tensor<16xf32>
  "shlo.trace"(%b) : (tensor<16xf32>) -> ()
  return %b : tensor<16xf32>
}

// CHECK-LABEL: storage of @program_globals_are_read_and_written:
// CHECK-NEXT:   s0 global @state: 16 bytes
// CHECK-NEXT:   s1 local %a: 16 bytes
// CHECK-NEXT:   s2 local %b: 16 bytes
// CHECK-NEXT:   s3 local %c: 16 bytes, outlives
// CHECK-NEXT:   step 0 ml_program.global_load %a: reads s0, writes s1
// CHECK-NEXT:   step 1 arith.addi %b: reads s1, reads s1, writes s2
// CHECK-NEXT:   step 2 ml_program.global_store {{.*}}: reads s2, writes s0
// CHECK-NEXT:   step 3 ml_program.global_load %c: reads s0, writes s3
func.func @program_globals_are_read_and_written() -> tensor<4xi32> {
  %a = ml_program.global_load @state : tensor<4xi32>
  %b = arith.addi %a, %a : tensor<4xi32>
  ml_program.global_store @state = %b : tensor<4xi32>
  %c = ml_program.global_load @state : tensor<4xi32>
  return %c : tensor<4xi32>
}

// Upstream declares no effects for them.
// CHECK-LABEL: storage of @every_mpi_op_keeps_its_place:
// CHECK-NEXT:   s0 argument %m: 16 bytes
// CHECK-NEXT:   step 0 mpi.comm_world %comm: touches nothing
// CHECK-NEXT:     barrier: 'mpi.comm_world' communicates
// CHECK-NEXT:   step 1 mpi.send at effects.mlir:[[@LINE+6]]: reads s0, writes s0
// CHECK-NEXT:     barrier: 'mpi.send' communicates
// CHECK-NEXT:   step 2 mpi.recv at effects.mlir:[[@LINE+5]]: reads s0, writes s0
// CHECK-NEXT:     barrier: 'mpi.recv' communicates
func.func @every_mpi_op_keeps_its_place(%m: memref<4xf32>, %rank: i32) {
  %comm = mpi.comm_world : !mpi.comm
  mpi.send(%m, %rank, %rank, %comm) : memref<4xf32>, i32, i32
  mpi.recv(%m, %rank, %rank, %comm) : memref<4xf32>, i32, i32
  return
}

// What an asynchronous op touches must live until somebody waits for it.
// CHECK-LABEL: storage of @token_orders_and_keeps_alive:
// CHECK-NEXT:   s0 argument %d: 16 bytes
// CHECK-NEXT:   s1 argument %h: 16 bytes, may be s0
// CHECK-NEXT:   s2 local %m: 16 bytes
// CHECK-NEXT:   step 0 gpu.wait %t0: touches nothing
// CHECK-NEXT:     barrier: 'gpu.wait' is ordered by an asynchronous token
// CHECK-NEXT:   step 1 gpu.alloc %m: writes s2
// CHECK-NEXT:     barrier: 'gpu.alloc' is ordered by an asynchronous token
// CHECK-NEXT:   step 2 gpu.memcpy %t2: reads s1, writes s2
// CHECK-NEXT:     barrier: 'gpu.memcpy' is ordered by an asynchronous token
// CHECK-NEXT:   step 3 gpu.wait at effects.mlir:[[@LINE+6]]: holds s1, holds s2
// CHECK-NEXT:     barrier: 'gpu.wait' is ordered by an asynchronous token
func.func @token_orders_and_keeps_alive(%d: memref<4xf32>, %h: memref<4xf32>) {
  %t0 = gpu.wait async
  %m, %t1 = gpu.alloc async [%t0] () : memref<4xf32, 1>
  %t2 = gpu.memcpy async [%t1] %m, %h : memref<4xf32, 1>, memref<4xf32>
  gpu.wait [%t2]
  return
}

// CHECK-LABEL: storage of @effect_edge_keeps_nothing_alive:
// CHECK-NEXT:   s0 argument %x: 4096 bytes
// CHECK-NEXT:   s1 local %a: 4096 bytes
// CHECK-NEXT:   s2 local %b: 4096 bytes, outlives
// CHECK-NEXT:   step 0 math.exp %a: reads s0, writes s1
// CHECK-NEXT:   step 1 t.reduce %s: reads s1, writes s1 (0 bytes)
// CHECK-NEXT:     barrier: 't.reduce' is not registered and may have any effect
// CHECK-NEXT:   step 2 math.exp %b: reads s0, writes s2
// CHECK-NEXT:   step 3 t.print at effects.mlir:[[@LINE+6]]: touches nothing
// CHECK-NEXT:     barrier: 't.print' is not registered and may have any effect
func.func @effect_edge_keeps_nothing_alive(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %a = math.exp %x : tensor<1024xf32>
  %s = "t.reduce"(%a) : (tensor<1024xf32>) -> f32
  %b = math.exp %x : tensor<1024xf32>
  "t.print"(%s) : (f32) -> ()
  return %b : tensor<1024xf32>
}
