// A call may return an argument that was a slice, so it is given a copy. Who
// reads the result reads that copy, and it is not made again behind its name.
// RUN: pebble-run %s --json=%t.json
// RUN: FileCheck %s --check-prefix=MET < %t.json
// RUN: grep sha256 %t.json > %t.sum
// RUN: pebble-opt %s --pebble-schedule="budget=min time-limit-ms=500" -o %t.min.mlir
// RUN: pebble-run %t.min.mlir --json=%t.min.json
// RUN: FileCheck %s --check-prefix=MET < %t.min.json
// RUN: grep sha256 %t.min.json | diff - %t.sum
// RUN: pebble-opt %s --pebble-schedule="budget=90%% means=recompute time-limit-ms=500" -o %t.again.mlir
// RUN: pebble-run %t.again.mlir --json=%t.again.json
// RUN: FileCheck %s --check-prefix=MET < %t.again.json
// RUN: grep sha256 %t.again.json | diff - %t.sum
// MET: "peak_bytes": {
// MET-NEXT: "default": [[PEAK:[0-9]+]]
// MET: "predicted_peak_bytes": {
// MET-NEXT: "default": [[PEAK]]

func.func private @layer(%x: tensor<256xf32>, %w: tensor<256xf32>)
    -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) {
  %z = arith.mulf %x, %w : tensor<256xf32>
  %c = math.cos %z : tensor<256xf32>
  %y = math.sin %z : tensor<256xf32>
  return %y, %x, %c : tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
}
func.func private @back(%x: tensor<256xf32>, %c: tensor<256xf32>, %w: tensor<256xf32>, %g: tensor<256xf32>)
    -> (tensor<256xf32>, tensor<256xf32>) {
  %h = arith.mulf %g, %c : tensor<256xf32>
  %dx = arith.mulf %h, %w : tensor<256xf32>
  %dw = arith.mulf %h, %x : tensor<256xf32>
  return %dx, %dw : tensor<256xf32>, tensor<256xf32>
}
func.func @main(%xs: tensor<2x256xf32>, %v: tensor<256xf32>, %w: tensor<256xf32>)
    -> (tensor<256xf32>, tensor<256xf32>, tensor<128xf32>) {
  %one = arith.constant dense<1.0> : tensor<256xf32>
  %x = tensor.extract_slice %xs[1, 0] [1, 256] [1, 1] : tensor<2x256xf32> to tensor<256xf32>
  %y, %s:2 = call @layer(%x, %v) : (tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
  %a = math.exp %y : tensor<256xf32>
  %b = math.cos %y : tensor<256xf32>
  %c = arith.mulf %a, %b : tensor<256xf32>
  %z, %t:2 = call @layer(%c, %w) : (tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
  %g = arith.subf %z, %one : tensor<256xf32>
  %h, %dw = call @back(%t#0, %t#1, %w, %g) : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>)
  %i = arith.mulf %h, %a : tensor<256xf32>
  %j = arith.mulf %i, %b : tensor<256xf32>
  %half = tensor.extract_slice %s#0[64] [128] [1] : tensor<256xf32> to tensor<128xf32>
  %e = math.exp %half : tensor<128xf32>
  %dx, %dv = call @back(%s#0, %s#1, %v, %j) : (tensor<256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<256xf32>) -> (tensor<256xf32>, tensor<256xf32>)
  return %dw, %dv, %e : tensor<256xf32>, tensor<256xf32>, tensor<128xf32>
}
