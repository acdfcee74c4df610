// Functions of the C library, on vectors: the same bits as element by element.
// RUN: pebble-run %s --output-dir=%t
// RUN: %python %S/Inputs/npy.py show %t/argument0.npy | FileCheck %s
// CHECK: f4 (2, 3) [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
func.func @main(%m: memref<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %some = arith.constant dense<[[0.5, -0.25, 2.0], [0.125, -1.0, 3.5]]> : vector<2x3xf32>
  %erf = math.erf %some : vector<2x3xf32>
  %cbrt = math.cbrt %erf : vector<2x3xf32>
  %all = math.asinh %cbrt : vector<2x3xf32>
  vector.transfer_write %all, %m[%c0, %c0] : vector<2x3xf32>, memref<2x3xf32>
  %values = memref.alloc() : memref<2x3xf32>
  vector.transfer_write %some, %values[%c0, %c0] : vector<2x3xf32>, memref<2x3xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %x = memref.load %values[%i, %j] : memref<2x3xf32>
      %e = math.erf %x : f32
      %c = math.cbrt %e : f32
      %a = math.asinh %c : f32
      %y = memref.load %m[%i, %j] : memref<2x3xf32>
      %d = arith.subf %y, %a : f32
      memref.store %d, %m[%i, %j] : memref<2x3xf32>
    }
  }
  memref.dealloc %values : memref<2x3xf32>
  return
}
