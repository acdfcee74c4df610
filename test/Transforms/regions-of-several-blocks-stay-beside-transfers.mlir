// Canonicalisation would put the blocks of such a region in the place of its
// operation, and cut the block around it in two: a transfer would start in one
// block and be waited for in another.
// RUN: pebble-opt %s --pebble-schedule="budget=min means=offload objective=time" -cse -canonicalize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %t.mlir --poison --json=%t.json 2>&1 | FileCheck %s --check-prefix=AS
// RUN: pebble-run %s --poison --json=%t.plain.json
// RUN: grep sha256 %t.plain.json > %t.sum && grep sha256 %t.json | diff - %t.sum

// CHECK: pebble.store
// CHECK: scf.execute_region {{.*}}no_inline
// CHECK: pebble.load
// AS: as predicted
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"fast", kind = explicit, read = 20, write = 30, bandwidth = 9000, latency = 5>, <"slow", kind = explicit, read = 500, write = 700, bandwidth = 100, latency = 100>]>} {
func.func @main(%a0: tensor<8x8xf32>, %b0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %f0 = arith.constant 0.0 : f32
  %f1 = arith.constant 1.0 : f32
  %fh = arith.constant 0.5 : f32
  %e_1 = tensor.empty() : tensor<8x8xf32>
  %s1 = linalg.exp ins(%a0 : tensor<8x8xf32>) outs(%e_1 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e_2 = tensor.empty() : tensor<8x8xf32>
  %s2 = linalg.mul ins(%s1, %b0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e_2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e_3 = tensor.empty() : tensor<8x8xf32>
  %a = linalg.add ins(%s2, %a0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e_3 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e_4 = tensor.empty() : tensor<8x8xf32>
  %b = linalg.sub ins(%s1, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e_4 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = scf.execute_region -> tensor<8x8xf32> {
    %x = tensor.extract %a[%c1, %c1] : tensor<8x8xf32>
    %k = arith.cmpf ogt, %x, %fh : f32
    cf.cond_br %k, ^l, ^m
  ^l:
    %u = tensor.insert %f1 into %a[%c2, %c2] : tensor<8x8xf32>
    scf.yield %u : tensor<8x8xf32>
  ^m:
    scf.yield %b : tensor<8x8xf32>
  }
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.add ins(%t, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e_5 = tensor.empty() : tensor<8x8xf32>
  %t1 = linalg.mul ins(%r, %s1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e_5 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t2 = linalg.add ins(%t1, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e_5 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e_6 = tensor.empty() : tensor<8x8xf32>
  %t3 = linalg.sub ins(%t2, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e_6 : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %t3, %s2 : tensor<8x8xf32>, tensor<8x8xf32>
}
}
