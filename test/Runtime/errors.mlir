// What cannot be done is an error with status 1, and says why.

// RUN: not pebble-run %s --entry=too_large 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: tier 'red' is full: capacity 256 bytes, live 192 bytes, requested 128 bytes
// RUN: not pebble-run %s --entry=argument_too_large 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: argument 0: tier 'red' is full: capacity 256 bytes, live 0 bytes, requested 448 bytes
// RUN: not pebble-run %s --entry=unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: errors.mlir:[[LINE:[0-9]+]]:10: error: op was not bufferized
// UNKNOWN: errors.mlir:[[LINE]]:10: note: this operation can be analysed but not run
// RUN: not pebble-run %s --entry=asynchronous 2>&1 | FileCheck %s --check-prefix=ASYNC
// ASYNC: error: failed to legalize operation 'async.create_group'
// ASYNC: note: this operation can be analysed but not run
// RUN: not pebble-run %s --entry=direct 2>&1 | FileCheck %s --check-prefix=DIRECT
// DIRECT: error: failed to legalize operation 'memref.alloc'
// DIRECT: note: this operation can be analysed but not run
// RUN: not pebble-run %s --entry=foreign 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: error: an operation of an unknown dialect cannot be lowered
// FOREIGN: note: this operation can be analysed but not run
// RUN: not pebble-run %s --entry=external 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// EXTERNAL: errors.mlir:{{.*}} error: cannot run: function 'nowhere' has no body and is in no library
// RUN: not pebble-run %s --entry=dynamic 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: errors.mlir:{{.*}} warning: size of tensor<?xf32> is not known{{.*}}; no memory is predicted
// DYNAMIC: error: argument 0: has a dynamic shape, pass it by --input=0:FILE.npy
// RUN: not pebble-run %s 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: no function 'main', and {{[0-9]+}} public functions with a body: name one by --entry
// RUN: not pebble-run %s --entry=nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// NOBODY: error: no function 'nobody' with a body
// RUN: not pebble-run %s --entry=good --input=7:x.npy 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: --input=7:x.npy: wanted K:FILE.npy, K the number of an argument
// RUN: not pebble-run %s --entry=good --input=0:%s 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: errors.mlir: not in the .npy format
module attributes {pebble.hierarchy = #pebble.hierarchy<[<"red", kind = explicit, capacity = 256>]>} {
  func.func @good(%x: tensor<4xf32>) -> tensor<4xf32> {
    %c = arith.constant 1.0 : f32
    %y = tensor.splat %c : tensor<4xf32>
    return %y : tensor<4xf32>
  }
  func.func @too_large(%x: tensor<48xf32>) -> tensor<32xf32> {
    %c = arith.constant 1.0 : f32
    %y = tensor.splat %c : tensor<32xf32>
    return %y : tensor<32xf32>
  }
  func.func @argument_too_large(%x: tensor<100xf32>) {
    return
  }
  func.func private @nowhere(tensor<4xf32>)
  func.func @external(%x: tensor<4xf32>) {
    call @nowhere(%x) : (tensor<4xf32>) -> ()
    return
  }
  func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = "someone.else"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
  // A body waits for a group from outside of it.
  func.func @asynchronous(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant 1.0 : f32
    %group = async.create_group %c1 : !async.group
    %t = async.execute {
      async.await_all %group
      memref.store %f, %x[%c0] : memref<4xf32>
      async.yield
    }
    %u = async.execute {
      async.yield
    }
    %rank = async.add_to_group %u, %group : !async.token
    async.await %t : !async.token
    return
  }
  func.func @direct(%x: memref<4xf32>) {
    %tiles = memref.alloc() : memref<4xf32, affine_map<(d) -> (d floordiv 2, d mod 2)>>
    memref.copy %x, %tiles : memref<4xf32> to memref<4xf32, affine_map<(d) -> (d floordiv 2, d mod 2)>>
    return
  }
  func.func @foreign(%x: i32) -> i32 {
    %y = "someone.else"(%x) : (i32) -> i32
    return %y : i32
  }
  func.func @dynamic(%x: tensor<?xf32>) {
    return
  }
}
