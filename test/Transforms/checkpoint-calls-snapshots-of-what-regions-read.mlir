// A region reads a buffer that changes before the adjoint: the second run reads a
// snapshot. The proof follows that, and the budget that an error names holds.
// RUN: not pebble-opt %s --pebble-checkpoint-calls=budget-bytes=1856 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: pebble-opt %s --pebble-checkpoint-calls=budget-bytes=1920 -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: pebble-run %s --json=%t.before.json
// RUN: pebble-run %t.mlir --json=%t.after.json
// RUN: grep sha256 %t.before.json > %t.sum
// RUN: grep sha256 %t.after.json | diff - %t.sum

// ERROR: error: no choice of calls that keep their tape keeps to the budget of 1856 bytes: the smallest known to do is 1920 bytes

// CHECK: func.func @main
// CHECK: memref.copy %arg2, %[[SNAPSHOT:alloc.*]] :
// CHECK: call @fw.adjoint({{.*}}, %[[SNAPSHOT]],

module {
  func.func private @fw(%x: tensor<62xf32>, %m: memref<8xf32>, %k: index) -> (tensor<62xf32>, tensor<64xf32>)
      attributes {pebble.adjoint = {backward = @bw, results = 1 : i64}} {
    %p = tensor.pad %x low[1] high[1] {
    ^bb0(%i: index):
      %v = memref.load %m[%k] : memref<8xf32>
      tensor.yield %v : f32
    } : tensor<62xf32> to tensor<64xf32>
    %s = math.sin %p : tensor<64xf32>
    %c = math.cos %p : tensor<64xf32>
    %r = tensor.extract_slice %s[2] [62] [1] : tensor<64xf32> to tensor<62xf32>
    return %r, %c : tensor<62xf32>, tensor<64xf32>
  }
  func.func private @bw(%u: tensor<64xf32>, %d: tensor<62xf32>) -> tensor<62xf32> {
    %q = tensor.extract_slice %u[2] [62] [1] : tensor<64xf32> to tensor<62xf32>
    %a = arith.mulf %d, %q : tensor<62xf32>
    %q2 = tensor.extract_slice %u[0] [62] [1] : tensor<64xf32> to tensor<62xf32>
    %b = arith.addf %a, %q2 : tensor<62xf32>
    return %b : tensor<62xf32>
  }
  func.func @main(%x: tensor<62xf32>, %d: tensor<62xf32>, %m: memref<8xf32>, %f: f32) -> (tensor<62xf32>, tensor<62xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a, %ta = call @fw(%x, %m, %c1) : (tensor<62xf32>, memref<8xf32>, index) -> (tensor<62xf32>, tensor<64xf32>)
    memref.store %f, %m[%c1] : memref<8xf32>
    %b, %tb = call @fw(%a, %m, %c1) : (tensor<62xf32>, memref<8xf32>, index) -> (tensor<62xf32>, tensor<64xf32>)
    %c, %tc = call @fw(%b, %m, %c2) : (tensor<62xf32>, memref<8xf32>, index) -> (tensor<62xf32>, tensor<64xf32>)
    memref.store %f, %m[%c2] : memref<8xf32>
    %e0 = call @bw(%tc, %d) : (tensor<64xf32>, tensor<62xf32>) -> tensor<62xf32>
    %e1 = call @bw(%tb, %e0) : (tensor<64xf32>, tensor<62xf32>) -> tensor<62xf32>
    %e2 = call @bw(%ta, %e1) : (tensor<64xf32>, tensor<62xf32>) -> tensor<62xf32>
    return %c, %e2 : tensor<62xf32>, tensor<62xf32>
  }
}
