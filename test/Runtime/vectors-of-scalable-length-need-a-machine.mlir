// LLVM ends the process at code for vectors that the machine does not have.
// REQUIRES: x86_64
// RUN: not pebble-run %s --entry=adds 2>&1 | FileCheck %s --check-prefix=ADDS
// RUN: not pebble-run %s --entry=counts 2>&1 | FileCheck %s --check-prefix=COUNTS
// ADDS: scalable-length-need-a-machine.mlir:[[#@LINE+4]]:8: error: cannot run vectors of scalable length: this machine has none
// COUNTS: scalable-length-need-a-machine.mlir:[[#@LINE+9]]:8: error: cannot run vectors of scalable length: this machine has none
func.func @adds(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %a = vector.load %x[%c0] : memref<64xf32>, vector<[4]xf32>
  %b = arith.addf %a, %a : vector<[4]xf32>
  vector.store %b, %x[%c0] : memref<64xf32>, vector<[4]xf32>
  return
}
func.func @counts() -> index {
  %n = vector.vscale
  return %n : index
}
