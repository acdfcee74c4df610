// A buffer that is only handed on inside of an op must be there while it runs.

// RUN: pebble-opt %s --pebble-print-storage --pebble-print-footprint -o /dev/null | FileCheck %s
// RUN: pebble-run %s --json=%t.json && FileCheck %s --check-prefix=METER --input-file=%t.json

// CHECK: step 1 scf.for {{.*}}: holds s1
// CHECK: footprint of @carried_inside
// CHECK: peak 1088 bytes

// METER: "peak_bytes"
// METER-NEXT: "default": 1088
// METER: "predicted_peak_bytes"
// METER-NEXT: "default": 1088

func.func @carried_inside(%x: memref<4xi64> {llvm.noalias}) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.load %x[%c0] : memref<4xi64>
  %t = memref.alloc() : memref<128xi64>
  scf.for %i = %c0 to %c4 step %c1 {
    %r = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %t) -> (memref<128xi64>) {
      scf.yield %b : memref<128xi64>
    }
  }
  return %v : i64
}
