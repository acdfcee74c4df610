// Nobody knows how deep a recursion goes, so that no budget can be promised.

// RUN: pebble-opt %s -split-input-file --pebble-schedule="budget-bytes=1048576" -verify-diagnostics

func.func private @again(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.cmpi ne, %n, %c0 : index
  scf.if %p {
    %m = arith.subi %n, %c1 : index
    // expected-error @below {{the memory of a recursive call is not known, so that no budget can be kept}}
    func.call @again(%x, %m) : (memref<64xf32>, index) -> ()
  }
  return
}
func.func @main(%x: memref<64xf32>, %n: index) {
  call @again(%x, %n) : (memref<64xf32>, index) -> ()
  return
}

// -----

// Through another function: one error for the circle.
func.func private @ping(%n: index) {
  // expected-error @below {{the memory of a recursive call is not known}}
  func.call @pong(%n) : (index) -> ()
  return
}
func.func private @pong(%n: index) {
  func.call @ping(%n) : (index) -> ()
  return
}
