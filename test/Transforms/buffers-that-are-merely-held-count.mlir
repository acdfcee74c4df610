// A buffer that a callee is handed and never touches must be there while it
// runs. A budget binds it like what is read, in every order and schedule.
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-schedule="budget-bytes=400 means=recompute" 2>&1 | FileCheck %s
// RUN: not pebble-opt %s --pebble-target=red-blue --pebble-schedule="budget-bytes=400 means=both" 2>&1 | FileCheck %s
// RUN: pebble-opt %s --pebble-target=red-blue --pebble-schedule="budget-bytes=448 means=both" | FileCheck %s --check-prefix=FITS

// CHECK-NOT: internal error
// CHECK: smallest feasible budget is 448 bytes (proven)
// FITS-LABEL: func @main
// FITS-SAME: peak_bytes = 448
func.func private @callee(%p: memref<4xi32>, %q: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %i = memref.load %p[%c0] : memref<4xi32>
  %m = memref.alloc() : memref<64xi32>
  linalg.fill ins(%i : i32) outs(%m : memref<64xi32>)
  return
}
func.func @main(%unused: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  %v = memref.load %a[%c1] : memref<4xi32>
  linalg.fill ins(%v : i32) outs(%b : memref<4xi32>)
  func.call @callee(%a, %b) : (memref<4xi32>, memref<4xi32>) -> ()
  func.call @callee(%b, %b) : (memref<4xi32>, memref<4xi32>) -> ()
  return
}
