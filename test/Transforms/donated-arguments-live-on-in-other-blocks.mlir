// A donated argument that a later block uses is not dropped in the first one.
// RUN: pebble-run %s --seed=3 --poison --output-dir=%t.before
// RUN: pebble-opt %s --pebble-schedule=budget-bytes=2112 --pebble-verify-schedule -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %t.mlir --seed=3 --poison --output-dir=%t.after
// RUN: diff -r %t.before %t.after

// CHECK-LABEL: func @main
// CHECK-NOT: pebble.drop
// CHECK: return
func.func @main(%go: i1, %x: tensor<256xf32> {pebble.donated}) -> tensor<256xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<256xf32>
  %y = linalg.exp ins(%x : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %v = tensor.extract %y[%c0] : tensor<256xf32>
  cf.cond_br %go, ^bb1(%v : f32), ^bb2
^bb1(%w: f32):
  %z = tensor.insert %w into %x[%c0] : tensor<256xf32>
  cf.br ^bb3(%z : tensor<256xf32>)
^bb2:
  cf.br ^bb3(%x : tensor<256xf32>)
^bb3(%r: tensor<256xf32>):
  return %r : tensor<256xf32>
}

// Nor is it overwritten there.
// RUN: pebble-run %s --entry=updated --seed=3 --output-dir=%t.updated
// RUN: %python -c "import struct, sys; d = open(sys.argv[1], 'rb').read(); assert struct.unpack('<4f', d[-16:])[0] < 1, d" %t.updated/result0.npy
func.func @updated(%x: tensor<4xf32> {pebble.donated}) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 42.0 : f32
  %z = tensor.insert %f into %x[%c0] : tensor<4xf32>
  %v = tensor.extract %z[%c0] : tensor<4xf32>
  cf.br ^bb1
^bb1:
  return %x, %v : tensor<4xf32>, f32
}
