// What callees and loops keep and move in slower tiers is in the prediction;
// where a branch need not be taken, or a loop need not run, it says that it is
// a bound; where nobody knows, it says that.

// RUN: pebble-run %s --entry=calls --json=%t.json && FileCheck %s --check-prefix=CALLS --input-file=%t.json
// RUN: pebble-run %s --entry=repeats --json=%t.json && FileCheck %s --check-prefix=REPEATS --input-file=%t.json
// RUN: pebble-run %s --entry=may --json=%t.json && FileCheck %s --check-prefix=MAY --input-file=%t.json
// RUN: pebble-run %s --entry=either --json=%t.json && FileCheck %s --check-prefix=EITHER --input-file=%t.json
// RUN: pebble-run %s --entry=searches --json=%t.json && FileCheck %s --check-prefix=SEARCHES --input-file=%t.json
// RUN: pebble-run %s --entry=jumps --json=%t.json && FileCheck %s --check-prefix=JUMPS --input-file=%t.json
// RUN: pebble-run %s --entry=recurs --json=%t.json 2>%t.err && FileCheck %s --check-prefix=RECURS --input-file=%t.json
// RUN: FileCheck %s --check-prefix=WARNING --input-file=%t.err

// CALLS: "predicted_peak_bytes"
// CALLS-NEXT: "fast": 8192
// CALLS-NEXT: "slow": 4096
// CALLS: "predicted_moved_bytes"
// CALLS-NEXT: "fast->slow": 4096
// CALLS-NEXT: "slow->fast": 4096
// CALLS-NOT: predicted_is

// REPEATS: "moved_bytes"
// REPEATS-NEXT: "fast->slow": 12288
// REPEATS-NEXT: "slow->fast": 12288
// REPEATS: "predicted_moved_bytes"
// REPEATS-NEXT: "fast->slow": 12288
// REPEATS-NEXT: "slow->fast": 12288
// REPEATS-NOT: predicted_is

// MAY: "peak_bytes"
// MAY-NEXT: "fast": 4096
// MAY: "predicted_peak_bytes"
// MAY-NEXT: "fast": 8192
// MAY: "predicted_is_bound": true

// EITHER-NOT: predicted_is

// SEARCHES: "predicted_is_known": false

// What moves in a callee of one of several blocks is not predicted either.
// JUMPS: "moved_bytes"
// JUMPS-NEXT: "fast->slow": 4096
// JUMPS: "predicted_moved_bytes": {}
// JUMPS: "predicted_is_known": false

// RECURS: "peak_bytes"
// RECURS: "predicted_peak_bytes": {}
// RECURS: "predicted_is_known": false
// WARNING: warning: the memory of a recursive call is not known: none is predicted

module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"fast", kind = explicit, read = 1, write = 1, bandwidth = 1000, latency = 10>,
    <"slow", kind = explicit, read = 100, write = 100, bandwidth = 100, latency = 100>]>} {
  func.func private @goes_away(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %copy, %token = pebble.store %x : tensor<1024xf32> -> tensor<1024xf32, #pebble.at<"slow">>
    %away = pebble.wait %token for %copy : tensor<1024xf32, #pebble.at<"slow">>
    %back, %token1 = pebble.load %away : tensor<1024xf32, #pebble.at<"slow">> -> tensor<1024xf32>
    %here = pebble.wait %token1 for %back : tensor<1024xf32>
    return %here : tensor<1024xf32>
  }
  func.func @calls(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %r = call @goes_away(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
    return %r : tensor<1024xf32>
  }
  func.func @jumps(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    cf.br ^next
  ^next:
    %r = call @goes_away(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
    return %r : tensor<1024xf32>
  }
  func.func @repeats(%x: tensor<1024xf32>) -> tensor<1024xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<1024xf32> {
      %b = func.call @goes_away(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
      scf.yield %b : tensor<1024xf32>
    }
    return %r : tensor<1024xf32>
  }
  func.func @may(%x: memref<1024xf32>, %p: i1 {pebble.range = [0, 1]}) {
    scf.if %p {
      %t = memref.alloc() : memref<1024xf32>
      linalg.exp ins(%x : memref<1024xf32>) outs(%t : memref<1024xf32>)
      memref.dealloc %t : memref<1024xf32>
    }
    return
  }
  func.func @either(%x: tensor<1024xf32>, %p: i1) -> tensor<1024xf32> {
    %e = tensor.empty() : tensor<1024xf32>
    %r = scf.if %p -> tensor<1024xf32> {
      %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
      scf.yield %a : tensor<1024xf32>
    } else {
      %a = linalg.negf ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
      scf.yield %a : tensor<1024xf32>
    }
    return %r : tensor<1024xf32>
  }
  func.func @searches(%x: tensor<1024xf32> {pebble.donated}, %n: index) -> tensor<1024xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<1024xf32> {
      %b = func.call @goes_away(%a) : (tensor<1024xf32>) -> tensor<1024xf32>
      scf.yield %b : tensor<1024xf32>
    }
    return %r : tensor<1024xf32>
  }
  func.func private @again(%x: memref<64xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
    %p = arith.cmpi ne, %n, %c0 : index
    scf.if %p {
      %m = arith.subi %n, %c1 : index
      func.call @again(%x, %m) : (memref<64xf32>, index) -> ()
    }
    memref.dealloc %t : memref<64xf32>
    return
  }
  func.func @recurs(%x: memref<64xf32>, %n: index) {
    call @again(%x, %n) : (memref<64xf32>, index) -> ()
    return
  }
}
