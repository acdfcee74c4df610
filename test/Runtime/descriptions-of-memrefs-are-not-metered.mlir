// A memref of unknown rank goes out of a function by a description on the heap.
// That is no buffer of the program: what is metered is what was predicted,
// however much LLVM optimises.

// RUN: pebble-run %s --opt-level=0 --poison 2>&1 | FileCheck %s
// RUN: pebble-run %s --opt-level=2 2>&1 | FileCheck %s
// CHECK: pebble-run: @main: peak in default 128 B as predicted

func.func private @pass(%m: memref<*xf32>) -> memref<*xf32> {
  return %m : memref<*xf32>
}
func.func @main(%x: memref<16xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %m = memref.alloc() : memref<16xf32>
  memref.copy %x, %m : memref<16xf32> to memref<16xf32>
  %any = memref.cast %m : memref<16xf32> to memref<*xf32>
  %same = call @pass(%any) : (memref<*xf32>) -> memref<*xf32>
  %back = memref.cast %same : memref<*xf32> to memref<16xf32>
  %v = memref.load %back[%zero] : memref<16xf32>
  return %v : f32
}
