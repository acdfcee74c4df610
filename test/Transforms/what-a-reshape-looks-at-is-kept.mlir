// The operand that says the shape must be there when the view is made, even where the
// type says it all: its buffer does not end before.
// RUN: pebble-opt %s --pebble-print-storage -o /dev/null 2>&1 | FileCheck %s
// RUN: pebble-opt %s --pebble-plan-addresses | FileCheck %s --check-prefix=ADDRESS
// RUN: pebble-opt %s --pebble-plan-addresses -o %t.mlir && pebble-run %t.mlir --seed=1 --poison

// CHECK-LABEL: storage of @main:
// CHECK: s[[SHAPE:[0-9]+]] local %shape: 16 bytes
// CHECK: memref.reshape %{{.*}}: reads s[[SHAPE]]

// ADDRESS-LABEL: func.func @main(
// ADDRESS: memref.alloc() {pebble.offset = [[AT:[0-9]+]] : i64} : memref<2xindex>
// ADDRESS-NOT: pebble.offset = [[AT]] : i64
// ADDRESS: memref.alloc() {pebble.offset = {{[0-9]+}} : i64} : memref<64x8xf16>
func.func @main(%x: memref<256xindex> {llvm.noalias}) -> memref<2x128xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %one = arith.constant 1.0 : f16
  %shape = memref.alloc() : memref<2xindex>
  memref.store %c2, %shape[%c0] : memref<2xindex>
  memref.store %c128, %shape[%c1] : memref<2xindex>
  %large = memref.alloc() : memref<64x8xf16>
  linalg.fill ins(%one : f16) outs(%large : memref<64x8xf16>)
  %view = memref.reshape %x(%shape) : (memref<256xindex>, memref<2xindex>) -> memref<2x128xindex>
  return %view : memref<2x128xindex>
}
