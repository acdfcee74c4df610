// A while loop keeps the tensors that it carries in the buffers that it began
// with, whatever the order in which its condition forwards them. What is
// forwarded and is no update of them gets a buffer of its own.

// RUN: pebble-opt %s --pebble-materialize-storage | FileCheck %s
// RUN: pebble-run %s --entry=updates --json=%t.json && FileCheck %s --check-prefix=METER --input-file=%t.json
// RUN: pebble-run %s --entry=swaps --json=%t.json && FileCheck %s --check-prefix=SWAPS --input-file=%t.json

// CHECK-LABEL: @updates
// CHECK-NOT: alloc_tensor
// CHECK: return

// METER: "peak_bytes"
// METER-NEXT: "default": 4096
// METER: "predicted_peak_bytes"
// METER-NEXT: "default": 4096

func.func @updates(%x: tensor<1024xf32> {pebble.donated}) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %r:2 = scf.while (%i = %c0, %a = %x) : (index, tensor<1024xf32>) -> (tensor<1024xf32>, index) {
    %c = arith.cmpi ult, %i, %c5 : index
    scf.condition(%c) %a, %i : tensor<1024xf32>, index
  } do {
  ^bb0(%a: tensor<1024xf32>, %i: index):
    %b = tensor.insert %one into %a[%i] : tensor<1024xf32>
    %n = arith.addi %i, %c1 : index
    scf.yield %n, %b : index, tensor<1024xf32>
  }
  return %r#0 : tensor<1024xf32>
}

// CHECK-LABEL: @swaps
// CHECK: scf.while
// CHECK-NOT: alloc_tensor
// CHECK: scf.condition
// CHECK: ^bb0(%[[B:.*]]: tensor<64xf32>, %[[A:.*]]: tensor<64xf32>, %{{.*}}: index):
// CHECK-DAG: %[[TO_A:.*]] = linalg.copy {{.*}} outs(%[[A]] :
// CHECK-DAG: %[[TO_B:.*]] = linalg.copy {{.*}} outs(%[[B]] :
// CHECK: scf.yield %{{.*}}, %[[TO_A]], %[[TO_B]] :

// SWAPS: "peak_bytes"
// SWAPS-NEXT: "default": [[#PEAK:]]
// SWAPS: "predicted_peak_bytes"
// SWAPS-NEXT: "default": [[#PEAK]]

func.func @swaps(%x: tensor<64xf32> {pebble.donated}, %y: tensor<64xf32> {pebble.donated}) -> (tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:3 = scf.while (%i = %c0, %a = %x, %b = %y) : (index, tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, index) {
    %c = arith.cmpi ult, %i, %c5 : index
    scf.condition(%c) %b, %a, %i : tensor<64xf32>, tensor<64xf32>, index
  } do {
  ^bb0(%b: tensor<64xf32>, %a: tensor<64xf32>, %i: index):
    %n = arith.addi %i, %c1 : index
    scf.yield %n, %b, %a : index, tensor<64xf32>, tensor<64xf32>
  }
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
}
