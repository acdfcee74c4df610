// A view that nothing looks through is gone from what runs, so that it does not
// keep its buffer alive; inside of a loop no more than beside it.

// RUN: pebble-run %s --json=%t.json --poison
// RUN: FileCheck %s --input-file=%t.json
// RUN: pebble-opt %s --pebble-schedule="budget-percent=100 means=recompute" --pebble-verify-schedule -o %t.mlir
// RUN: pebble-run %t.mlir --json=%t.json --poison
// RUN: FileCheck %s --input-file=%t.json

// CHECK: "peak_bytes"
// CHECK-NEXT: "default": 192
// CHECK: "predicted_peak_bytes"
// CHECK-NEXT: "default": 192
// CHECK-NOT: predicted_is

func.func @main(%x: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.add ins(%a, %x : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<16xf32>)
  scf.for %i = %c0 to %c3 step %c1 {
    %view = memref.subview %a[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
    %dead = memref.cast %view : memref<8xf32, strided<[1]>> to memref<?xf32, strided<[?], offset: ?>>
    %n = memref.alloc() : memref<16xf32>
    linalg.add ins(%b, %x : memref<16xf32>, memref<16xf32>) outs(%n : memref<16xf32>)
    linalg.copy ins(%n : memref<16xf32>) outs(%x : memref<16xf32>)
  }
  return
}
