// A step may overwrite a storage that it names by a content that is gone. Where
// what the storage holds by now was moved away and back, the step overwrites that
// buffer, and not the one that was there before.
// RUN: pebble-opt %s --target=red-blue --pebble-schedule="budget=min means=offload time-limit-ms=500" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %s --target=red-blue --json=%t.before.json
// RUN: pebble-run %t.mlir --json=%t.after.json
// RUN: grep sha256 %t.before.json > %t.sum
// RUN: grep sha256 %t.after.json | diff - %t.sum
// RUN: FileCheck %s --check-prefix=MET < %t.after.json
// CHECK: pebble.store
// CHECK: %[[BACK:.*]] = pebble.wait %{{.*}} : tensor<16xf32>{{$}}
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[BACK]] : tensor<16xf32>)
// MET: "red": 320
// MET: "predicted_peak_bytes": {
// MET: "red": 320

func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c = arith.constant 0 : index
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.add ins(%a, %x : tensor<16xf32>, tensor<16xf32>) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  %s = tensor.extract %b[%c] : tensor<16xf32>
  %f = tensor.empty() : tensor<64xf32>
  %d = linalg.fill ins(%s : f32) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  %t = tensor.extract %d[%c] : tensor<64xf32>
  %r = linalg.fill ins(%t : f32) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
