// A reshape makes a view of a tensor. It reads the shape alone, so that it may
// stand before the op that fills the buffer which the tensor shows.
// RUN: pebble-opt %s --pebble-order-operations=objective=peak -o %t.mlir
// RUN: FileCheck %s --check-prefix=ORDER < %t.mlir
// RUN: pebble-run %s --seed=3 --json=%t.before
// RUN: pebble-run %t.mlir --seed=3 --poison --json=%t.after
// RUN: grep -o 'results_sha256": "[0-9a-f]*' %t.before > %t.hash
// RUN: grep -F -f %t.hash %t.after

// The large buffer goes before the small one comes.
// ORDER: memref.load
// ORDER: linalg.fill
// ORDER-SAME: memref<256xi8>

func.func @main(%f: f32, %n: i8) -> (f32, tensor<2x128xi8>) {
  %c1 = arith.constant 1 : index
  %large = memref.alloc() : memref<512xf32>
  linalg.fill ins(%f : f32) outs(%large : memref<512xf32>)
  %small = memref.alloc() : memref<256xi8>
  linalg.fill ins(%n : i8) outs(%small : memref<256xi8>)
  %t = bufferization.to_tensor %small restrict writable : memref<256xi8> to tensor<256xi8>
  %shape = arith.constant dense<[2, 128]> : tensor<2xindex>
  %view = tensor.reshape %t(%shape) : (tensor<256xi8>, tensor<2xindex>) -> tensor<2x128xi8>
  %l = memref.load %large[%c1] : memref<512xf32>
  return %l, %view : f32, tensor<2x128xi8>
}
