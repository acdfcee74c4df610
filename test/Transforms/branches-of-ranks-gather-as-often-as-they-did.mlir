// The first branch could gather again what it needs at its end, and take less.
// The rank in the other branch would not be there. So nobody gathers again, and
// sums keep their order: in a branch, and in functions that are called there.
// RUN: pebble-opt %s --pebble-schedule=budget=min --pebble-verify-messages=ranks=2 | FileCheck %s

// CHECK-LABEL: func.func private @long(
// CHECK: pebble.collective all_gather
// CHECK-NOT: pebble.collective
// CHECK-LABEL: func.func private @short(
// CHECK: pebble.collective all_gather
// CHECK-NOT: pebble.collective
// CHECK-LABEL: func.func @main(
// CHECK: scf.if
// CHECK: pebble.collective all_gather
// CHECK-NOT: pebble.collective
// CHECK: } else {
// CHECK: pebble.collective all_gather
// CHECK-NOT: pebble.collective
// CHECK: return

// What every rank is called with may be gathered again.
// CHECK-LABEL: func.func private @always(
// CHECK-COUNT-2: pebble.collective all_gather
func.func private @long(%x: tensor<512xf32>) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<1024xf32>
  %whole = pebble.collective all_gather %x into %e group = 2 stride = 1 ranks = 2 : tensor<512xf32>, tensor<1024xf32> -> tensor<1024xf32>
  %p = tensor.extract %whole[%c0] : tensor<1024xf32>
  %h = tensor.empty() : tensor<4096xf32>
  %k = linalg.fill ins(%p : f32) outs(%h : tensor<4096xf32>) -> tensor<4096xf32>
  %k2 = math.tanh %k : tensor<4096xf32>
  %k3 = math.exp %k2 : tensor<4096xf32>
  %k4 = arith.addf %k2, %k3 : tensor<4096xf32>
  %v = tensor.extract %k4[%c0] : tensor<4096xf32>
  %f = tensor.empty() : tensor<1024xf32>
  %u = linalg.fill ins(%v : f32) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
  %z = arith.addf %whole, %u : tensor<1024xf32>
  return %z : tensor<1024xf32>
}
func.func private @short(%x: tensor<512xf32>) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<1024xf32>
  %whole = pebble.collective all_gather %x into %e group = 2 stride = 1 ranks = 2 : tensor<512xf32>, tensor<1024xf32> -> tensor<1024xf32>
  %p = tensor.extract %whole[%c0] : tensor<1024xf32>
  %h = tensor.empty() : tensor<4096xf32>
  %k = linalg.fill ins(%p : f32) outs(%h : tensor<4096xf32>) -> tensor<4096xf32>
  %k2 = math.tanh %k : tensor<4096xf32>
  %k3 = math.exp %k2 : tensor<4096xf32>
  %k4 = arith.addf %k2, %k3 : tensor<4096xf32>
  %v = tensor.extract %k4[%c0] : tensor<4096xf32>
  %f = tensor.empty() : tensor<1024xf32>
  %u = linalg.fill ins(%v : f32) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
  %z = arith.addf %u, %u : tensor<1024xf32>
  return %z : tensor<1024xf32>
}
func.func @main(%x: tensor<512xf32>) -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) {
  mpi.init
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %first = arith.cmpi eq, %r, %zero : i32
  %a = scf.if %first -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %whole = pebble.collective all_gather %x into %e group = 2 stride = 1 ranks = 2 : tensor<512xf32>, tensor<1024xf32> -> tensor<1024xf32>
    %p = tensor.extract %whole[%c0] : tensor<1024xf32>
    %h = tensor.empty() : tensor<4096xf32>
    %k = linalg.fill ins(%p : f32) outs(%h : tensor<4096xf32>) -> tensor<4096xf32>
    %k2 = math.tanh %k : tensor<4096xf32>
    %k3 = math.exp %k2 : tensor<4096xf32>
    %k4 = arith.addf %k2, %k3 : tensor<4096xf32>
    %v = tensor.extract %k4[%c0] : tensor<4096xf32>
    %f = tensor.empty() : tensor<1024xf32>
    %u = linalg.fill ins(%v : f32) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
    %z = arith.addf %whole, %u : tensor<1024xf32>
    scf.yield %z : tensor<1024xf32>
  } else {
    %e = tensor.empty() : tensor<1024xf32>
    %whole = pebble.collective all_gather %x into %e group = 2 stride = 1 ranks = 2 : tensor<512xf32>, tensor<1024xf32> -> tensor<1024xf32>
    %p = tensor.extract %whole[%c0] : tensor<1024xf32>
    %h = tensor.empty() : tensor<4096xf32>
    %k = linalg.fill ins(%p : f32) outs(%h : tensor<4096xf32>) -> tensor<4096xf32>
    %k2 = math.tanh %k : tensor<4096xf32>
    %k3 = math.exp %k2 : tensor<4096xf32>
    %k4 = arith.addf %k2, %k3 : tensor<4096xf32>
    %v = tensor.extract %k4[%c0] : tensor<4096xf32>
    %f = tensor.empty() : tensor<1024xf32>
    %u = linalg.fill ins(%v : f32) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
    %z = arith.addf %u, %u : tensor<1024xf32>
    scf.yield %z : tensor<1024xf32>
  }
  %b = scf.if %first -> tensor<1024xf32> {
    %1 = func.call @long(%x) : (tensor<512xf32>) -> tensor<1024xf32>
    scf.yield %1 : tensor<1024xf32>
  } else {
    %1 = func.call @short(%x) : (tensor<512xf32>) -> tensor<1024xf32>
    scf.yield %1 : tensor<1024xf32>
  }
  %c = func.call @always(%x) : (tensor<512xf32>) -> tensor<1024xf32>
  return %a, %b, %c : tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>
}
func.func private @always(%x: tensor<512xf32>) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<1024xf32>
  %whole = pebble.collective all_gather %x into %e group = 2 stride = 1 ranks = 2 : tensor<512xf32>, tensor<1024xf32> -> tensor<1024xf32>
  %p = tensor.extract %whole[%c0] : tensor<1024xf32>
  %h = tensor.empty() : tensor<4096xf32>
  %k = linalg.fill ins(%p : f32) outs(%h : tensor<4096xf32>) -> tensor<4096xf32>
  %k2 = math.tanh %k : tensor<4096xf32>
  %k3 = math.exp %k2 : tensor<4096xf32>
  %k4 = arith.addf %k2, %k3 : tensor<4096xf32>
  %v = tensor.extract %k4[%c0] : tensor<4096xf32>
  %f = tensor.empty() : tensor<1024xf32>
  %u = linalg.fill ins(%v : f32) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
  %z = arith.addf %whole, %u : tensor<1024xf32>
  return %z : tensor<1024xf32>
}
