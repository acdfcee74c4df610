// What a callee writes of a global it writes through its own handle. Where the
// caller's handle stands, before the call or after it, changes nothing.
// RUN: pebble-opt %s --pebble-order-operations --split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-schedule=budget-percent=100 --split-input-file | FileCheck %s

memref.global "private" @scale : memref<8xf32> = dense<2.0>
func.func private @grow() {
  %w = memref.get_global @scale : memref<8xf32>
  linalg.exp ins(%w : memref<8xf32>) outs(%w : memref<8xf32>)
  return
}
// CHECK-LABEL: func @handle_before_the_call
// CHECK-DAG: call @grow
// CHECK-DAG: memref.get_global
// CHECK: linalg.exp
func.func @handle_before_the_call(%x: memref<8xf32>) {
  %w = memref.get_global @scale : memref<8xf32>
  call @grow() : () -> ()
  linalg.exp ins(%w : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}

// -----

memref.global "private" @scale : memref<8xf32> = dense<2.0>
func.func private @grow() {
  %w = memref.get_global @scale : memref<8xf32>
  linalg.exp ins(%w : memref<8xf32>) outs(%w : memref<8xf32>)
  return
}
// Two handles, one of them unused, in a loop and in a branch.
// CHECK-LABEL: func @handles_in_regions
// CHECK: scf.for
// CHECK: call @grow
// CHECK: scf.if
// CHECK: call @grow
func.func @handles_in_regions(%x: memref<8xf32>, %take: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%i] : memref<8xf32>
    %unused = memref.get_global @scale : memref<8xf32>
    %m = memref.alloc() : memref<8xf32>
    func.call @grow() : () -> ()
    memref.store %v, %m[%i] : memref<8xf32>
  }
  scf.if %take {
    %a = memref.get_global @scale : memref<8xf32>
    func.call @grow() : () -> ()
    %b = memref.get_global @scale : memref<8xf32>
    linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%x : memref<8xf32>)
  }
  return
}
