// A callee that hands out one buffer twice may give memory that is counted
// already. A budget that such a count refuses may do, so it is not proven that
// none smaller does.

// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=1023 means=none" 2>&1 | FileCheck %s
// RUN: not pebble-opt %s --pebble-order-operations=peak-limit-bytes=1023 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: pebble-run %s 2>&1 | FileCheck %s --check-prefix=FITS
// FITS: peak in default 768 B (predicted: at most 1,536 B)
// CHECK: error: no order was found within the budget of 1023 bytes; the smallest feasible budget found is {{[0-9]+}} bytes
// CHECK-NOT: proven
// ORDER: error: no order keeps the peak within 1023 bytes; the least peak found is {{[0-9]+}} bytes
// ORDER-NOT: proven

func.func private @pick(%c: i1) -> (memref<64xf32>, memref<64xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  %s = scf.if %c -> memref<64xf32> {
    scf.yield %a : memref<64xf32>
  } else {
    scf.yield %b : memref<64xf32>
  }
  return %a, %s : memref<64xf32>, memref<64xf32>
}
func.func @main(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %p:2 = call @pick(%c) : (i1) -> (memref<64xf32>, memref<64xf32>)
  %q:2 = call @pick(%c) : (i1) -> (memref<64xf32>, memref<64xf32>)
  linalg.add ins(%p#0, %p#1 : memref<64xf32>, memref<64xf32>) outs(%q#0 : memref<64xf32>)
  %v = memref.load %q#0[%c0] : memref<64xf32>
  %w = memref.load %q#1[%c0] : memref<64xf32>
  %s = arith.addf %v, %w : f32
  return %s : f32
}
