// RUN: pebble-run %s --json=%t.raw && FileCheck %s --check-prefix=RAW < %t.raw
// RUN: pebble-opt %s --pebble-schedule="budget=min means=none" -o %t.mlir
// RUN: pebble-run %t.mlir --json=%t.json && FileCheck %s --check-prefix=PLAN < %t.json

// `%view` is another name of what is in `%m`: its step needs the buffer, though
// it reads nothing. The buffer may not begin after it. The least order has the
// loop, which takes 2,048 bytes inside, before all that.
// RAW: "default": 5120
// RAW: "predicted_peak_bytes"
// RAW-NEXT: "default": 5120
// PLAN: "default": 3072
// PLAN: "predicted_peak_bytes"
// PLAN-NEXT: "default": 3072
func.func @main(%x: memref<256xi32> {llvm.noalias}) -> tensor<2x128xf64> {
  %m = memref.alloc() : memref<256xf64>
  %one = arith.constant 1.0 : f64
  linalg.fill ins(%one : f64) outs(%m : memref<256xf64>)
  %content = bufferization.to_tensor %m restrict : memref<256xf64> to tensor<256xf64>
  %shape = arith.constant dense<[2, 128]> : tensor<2xindex>
  %view = tensor.reshape %content(%shape) : (tensor<256xf64>, tensor<2xindex>) -> tensor<2x128xf64>
  %last = affine.for %i = 0 to 2 iter_args(%carried = %x) -> (memref<256xi32>) {
    %inside = memref.alloc() : memref<512xi32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        outs(%inside : memref<512xi32>) {
    ^bb0(%out: i32):
      %k = arith.constant 1 : i32
      linalg.yield %k : i32
    }
    affine.yield %carried : memref<256xi32>
  }
  return %view : tensor<2x128xf64>
}
