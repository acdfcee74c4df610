// A loop keeps a tensor in one buffer. What shows it may be handed on to the next
// iteration, which overwrites the buffer, and callees show what they are handed.
// RUN: pebble-run %s --seed=3 --json=%t.json
// RUN: pebble-opt %s --pebble-order-operations --remarks-filter-missed=pebble-.* -o %t.ordered.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PROVEN --allow-empty
// RUN: pebble-run %t.ordered.mlir --seed=3 --json=%t.ordered.json
// RUN: grep sha256 %t.json > %t.sum
// RUN: grep sha256 %t.ordered.json | diff - %t.sum
// RUN: pebble-opt %s --pebble-schedule=budget=min -o %t.planned.mlir
// RUN: pebble-run %t.planned.mlir --seed=3 --json=%t.planned.json
// RUN: grep sha256 %t.planned.json | diff - %t.sum
// PROVEN-NOT: not-proven
// PROVEN-NOT: shown-tensors
// RUN: pebble-run %s --seed=3 --output-dir=%t.out
// RUN: %python -c "one, z = (open(r'%t.out/result' + n + '.npy', 'rb').read() for n in '02'); print(one[-4:] == z[-16:-12])" \
// RUN:   | FileCheck %s --check-prefix=VALUE
// VALUE: True

func.func private @show(%x: tensor<8xf32>) -> memref<8xf32> {
  %m = bufferization.to_buffer %x read_only : tensor<8xf32> to memref<8xf32>
  return %m : memref<8xf32>
}
func.func private @same(%m: memref<8xf32>) -> memref<8xf32> {
  return %m : memref<8xf32>
}
// The buffer that comes out shows what %s is in the second iteration: %z.
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %w: tensor<4x8xf32>)
    -> (f32, tensor<8xf32>, tensor<8xf32>, f32) {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k4 = arith.constant 4 : index
  %f = arith.constant 1.5 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:3 = scf.for %i = %k0 to %k2 step %k1 iter_args(%m = %a, %s = %x, %t = %z)
      -> (memref<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %b = func.call @show(%s) : (tensor<8xf32>) -> memref<8xf32>
    %c = func.call @same(%b) : (memref<8xf32>) -> memref<8xf32>
    scf.yield %c, %t, %y : memref<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  %v = memref.load %r#0[%k4] : memref<8xf32>
  // A slice that a callee shows.
  %row = tensor.extract_slice %w[2, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
  %shown = func.call @show(%row) : (tensor<8xf32>) -> memref<8xf32>
  %u = memref.load %shown[%k1] : memref<8xf32>
  return %v, %r#2, %z, %u : f32, tensor<8xf32>, tensor<8xf32>, f32
}
