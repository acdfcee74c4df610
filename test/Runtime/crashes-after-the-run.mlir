// A program that leaves the bounds of its buffers may crash the tool after it
// has run: where it reads the results, or where the heap was spoilt. One message
// tells so, and the signal ends the process. LLVM's dump of the stack would call
// malloc, and wait for itself where the crash was in there.

// RUN: not --crash pebble-run %s --entry=far 2>&1 | FileCheck %s --implicit-check-not=PLEASE --implicit-check-not=Stack
// CHECK: pebble-run: error: crashed after the program had run (signal SIG{{SEGV|BUS}}); a program that leaves the bounds of its buffers may end so

// The result lies far behind its buffer.
func.func @far(%m: memref<16xf32>, %n: index) -> memref<4xf32, strided<[1], offset: ?>> {
  %far = arith.constant 1099511627776 : index
  %at = arith.muli %n, %far : index
  %v = memref.reinterpret_cast %m to offset: [%at], sizes: [4], strides: [1]
      : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  return %v : memref<4xf32, strided<[1], offset: ?>>
}
