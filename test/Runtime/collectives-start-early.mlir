// What starts early and is waited for late gives what it would at once; each
// rank takes and sends what was predicted. So do all kinds, several at a time,
// and some beside messages of the program's own.
// REQUIRES: mpi
// RUN: rm -rf %t && split-file %s %t
// RUN: %mpirun -np 2 pebble-run %t/kinds.mlir --json=%t/%%r.json --summary=%t/all.json --repeat=2
// RUN: FileCheck %s --input-file=%t/all.json
// CHECK: "sent_bytes": [
// CHECK-NEXT: 88,
// CHECK-NEXT: 72
// CHECK: "as_predicted": true

// The predicted time of messages is there without measured costs; with those
// the whole is, and what is under way costs what somebody waits for.
// RUN: pebble-opt %t/timed.mlir --pebble-schedule="budget=64KiB objective=time" -o %t/hidden.mlir
// RUN: grep -c collective_start %t/hidden.mlir
// RUN: pebble-run %t/local.mlir --profile=%t/costs.json --quiet
// RUN: %python %S/Inputs/set-costs.py %t/costs.json linalg.exp=5000 > %t/set.json
// RUN: %mpirun -np 2 pebble-run %t/timed.mlir --costs=%t/set.json --json=%t/at-once.%%r.json
// RUN: FileCheck %s --check-prefix=ONCE --input-file=%t/at-once.1.json
// RUN: %mpirun -np 2 pebble-run %t/hidden.mlir --costs=%t/set.json --json=%t/hidden.%%r.json --summary=%t/hidden.json
// RUN: FileCheck %s --check-prefix=HIDDEN --input-file=%t/hidden.1.json
// RUN: FileCheck %s --check-prefix=BOTH --input-file=%t/hidden.json
// ONCE: "predicted_seconds": {{9[.]09[67][0-9]*e-06}}
// ONCE: "predicted_message_seconds": {{4[.]09[67][0-9]*e-06}}
// HIDDEN: "predicted_seconds": {{5[.]?0*[0-9]*e-06}}
// HIDDEN: "predicted_message_seconds": {{4[.]09[67][0-9]*e-06}}
// BOTH: "as_predicted": true

//--- kinds.mlir
func.func private @require(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %d = arith.subf %a, %b : tensor<2x2xf32>
  %q = arith.mulf %d, %d : tensor<2x2xf32>
  %s = linalg.reduce ins(%q : tensor<2x2xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
    (%in: f32, %out: f32) {
      %sum = arith.addf %in, %out : f32
      linalg.yield %sum : f32
    }
  %v = tensor.extract %s[] : tensor<f32>
  %ok = arith.cmpf oeq, %v, %zero : f32
  cf.assert %ok, "not what it should be"
  return
}
func.func @main() -> tensor<2x2xf32> {
  mpi.init
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %f = arith.sitofp %r : i32 to f32
  %one = arith.constant 1 : i32
  %other = arith.subi %one, %r : i32
  // [[r, r], [r, r]], and twice that
  %e = tensor.empty() : tensor<2x2xf32>
  %x = linalg.fill ins(%f : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %e2 = tensor.empty() : tensor<2x2xf32>
  %more = linalg.add ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e2 : tensor<2x2xf32>) -> tensor<2x2xf32>

  %i1 = tensor.empty() : tensor<2x2xf32>
  %u1, %t1 = pebble.collective_start all_reduce %x into %i1 group = 2 stride = 1 ranks = 2 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %i2 = tensor.empty() : tensor<1x2xf32>
  %u2, %t2 = pebble.collective_start reduce_scatter %more into %i2 group = 2 stride = 1 ranks = 2 : tensor<2x2xf32>, tensor<1x2xf32> -> tensor<1x2xf32>
  // Beside them the ranks change what they have.
  %s = memref.alloc() : memref<2x2xf32>
  bufferization.materialize_in_destination %x in writable %s : (tensor<2x2xf32>, memref<2x2xf32>) -> ()
  %q = mpi.isend(%s, %one, %other, %w) : memref<2x2xf32>, i32, i32 -> !mpi.request
  %b = memref.alloc() : memref<2x2xf32>
  mpi.recv(%b, %one, %other, %w) : memref<2x2xf32>, i32, i32
  mpi.wait(%q) : !mpi.request
  %got = bufferization.to_tensor %b restrict : memref<2x2xf32> to tensor<2x2xf32>
  %part = pebble.collective_wait %t2 for %u2 : tensor<1x2xf32>
  %i3 = tensor.empty() : tensor<2x2xf32>
  %u3, %t3 = pebble.collective_start all_gather %part into %i3 group = 2 stride = 1 ranks = 2 : tensor<1x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %sum = pebble.collective_wait %t1 for %u1 : tensor<2x2xf32>
  %i4 = tensor.empty() : tensor<2x2xf32>
  %u4, %t4 = pebble.collective_start all_reduce %got into %i4 group = 2 stride = 1 ranks = 2 reduction = max : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %twice = pebble.collective_wait %t3 for %u3 : tensor<2x2xf32>
  %most = pebble.collective_wait %t4 for %u4 : tensor<2x2xf32>
  %i5 = tensor.empty() : tensor<2x2xf32>
  %u5, %t5 = pebble.collective_start broadcast %got into %i5 group = 2 stride = 1 ranks = 2 axis = 0 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  %ones = arith.constant dense<1.0> : tensor<2x2xf32>
  %twos = arith.constant dense<2.0> : tensor<2x2xf32>
  func.call @require(%sum, %ones) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  func.call @require(%twice, %twos) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  func.call @require(%most, %ones) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  // Rank 0 has got what rank 1 had.
  %first = pebble.collective_wait %t5 for %u5 : tensor<2x2xf32>
  func.call @require(%first, %ones) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  return %first : tensor<2x2xf32>
}

//--- local.mlir
func.func @main(%x: tensor<512xf32>) -> tensor<512xf32> {
  %e = tensor.empty() : tensor<512xf32>
  %y = linalg.exp ins(%x : tensor<512xf32>) outs(%e : tensor<512xf32>) -> tensor<512xf32>
  return %y : tensor<512xf32>
}

//--- timed.mlir
// 4,096 bytes at one a nanosecond: half of them come from the other rank, and
// then they are added up and go back; with the latencies 4,096 ns at least.
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"ram", kind = explicit, bandwidth = 1000>], speed = 1000000000, topology = <[
    <"host", size = 2, bandwidth = 1000, latency = 0>], ranks = 2>>} {
  func.func @main(%x: tensor<1024xf32>, %z: tensor<512xf32>) -> (tensor<1024xf32>, tensor<512xf32>) {
    %i = tensor.empty() : tensor<1024xf32>
    %sum = pebble.collective all_reduce %x into %i group = 2 stride = 1 ranks = 2 : tensor<1024xf32>, tensor<1024xf32> -> tensor<1024xf32>
    %e = tensor.empty() : tensor<512xf32>
    %y = linalg.exp ins(%z : tensor<512xf32>) outs(%e : tensor<512xf32>) -> tensor<512xf32>
    return %sum, %y : tensor<1024xf32>, tensor<512xf32>
  }
}
