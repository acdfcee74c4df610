// RUN: pebble-opt %s --pebble-snapshot-loops="every=10 pure=my.random" --allow-unregistered-dialect -split-input-file -verify-diagnostics
// RUN: not pebble-opt %s --pebble-snapshot-loops 2>&1 | FileCheck %s --check-prefix=EVERY
// EVERY: error: say how often to take a snapshot: 'every=N', in iterations of a loop
// RUN: not pebble-opt %s --pebble-snapshot-loops=every=-3 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: 'every' takes a whole number from 1 to {{[0-9]+}}, got -3

// What is printed in a loop is printed once, and not again after a snapshot.
func.func @prints(%x: tensor<8xf32>, %v: vector<4xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{the loop that is to take snapshots is here}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %b = math.sin %a : tensor<8xf32>
    // expected-error @+1 {{no snapshot can undo or repeat this, and 'vector.print' has effects on more than its operands}}
    vector.print %v : vector<4xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

func.func @prints_before(%x: tensor<8xf32>, %v: vector<4xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{what stands before a loop with snapshots runs again when the program goes on, and 'vector.print'}}
  vector.print %v : vector<4xf32>
  // expected-note @+1 {{the loop is here}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %b = math.sin %a : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  vector.print %v : vector<4xf32>
  return %y : tensor<8xf32>
}

// -----

// The state of the generator is in no snapshot.
func.func private @unknown(tensor<8xf32>) -> tensor<8xf32>
func.func @calls(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{the loop that is to take snapshots is here}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    // expected-error @+1 {{no snapshot can undo or repeat this, and 'func.call' calls a function whose effects are not known}}
    %b = func.call @unknown(%a) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

memref.global @counter : memref<8xf32>
func.func @writes_a_global(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.get_global @counter : memref<8xf32>
  // expected-error @+1 {{this loop can take no snapshots: it writes memory of which no value of this function is a name}}
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%x : memref<8xf32>) outs(%g : memref<8xf32>)
  }
  return
}

// -----

func.func @carries_a_buffer(%x: memref<8xf32>, %z: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{this loop can take no snapshots: it carries value 0 of type 'memref<8xf32>', and a snapshot holds numbers, and tensors of known shape}}
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %z) -> (memref<8xf32>, memref<8xf32>) {
    linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
    scf.yield %b, %a : memref<8xf32>, memref<8xf32>
  }
  return
}

// -----

func.func @carries_what_grows(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{this loop can take no snapshots: it carries value 0 of type 'tensor<?xf32>'}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %b = math.sin %a : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}

// -----

func.func @writes_a_strided_buffer(%x: memref<8xf32>, %m: memref<8xf32, strided<[2]>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{this loop can take no snapshots: it writes '%m', and a snapshot holds buffers of a plain layout alone}}
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%x : memref<8xf32>) outs(%m : memref<8xf32, strided<[2]>>)
  }
  return
}

// -----

func.func @not_decided(%n: index, %x: tensor<8xf32>, %a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{nobody has decided yet which states of this loop are kept: run pebble-checkpoint-loops first}}
  %y, %dx = pebble.adjoint_loop %n states(%x : tensor<8xf32>) adjoints(%a : tensor<8xf32>) primal {
  ^bb0(%i: index, %s: tensor<8xf32>):
    %next = math.sin %s : tensor<8xf32>
    pebble.yield %next : tensor<8xf32>
  } adjoint {
  ^bb0(%i: index, %s: tensor<8xf32>, %b: tensor<8xf32>):
    %cos = math.cos %s : tensor<8xf32>
    pebble.yield %cos : tensor<8xf32>
  }
  return %dx : tensor<8xf32>
}

// -----

// expected-error @+1 {{no loop is there to take snapshots}}
module {
  func.func @no_loop(%x: tensor<8xf32>) -> tensor<8xf32> {
    %y = math.sin %x : tensor<8xf32>
    return %y : tensor<8xf32>
  }
}

// -----

func.func @again(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{this function takes snapshots already}}
  %x0 = pebble.resume loop 0 value 0 of %x : tensor<8xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x0) -> (tensor<8xf32>) {
    %b = math.sin %a : tensor<8xf32>
    pebble.snapshot loop 0 every 10 of(%b) : tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// In a loop inside, behind an assertion that may be asked again.
func.func @prints_inside(%x: tensor<8xf32>, %v: vector<4xf32>, %n: index, %go: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{the loop that is to take snapshots is here}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %b = math.sin %a : tensor<8xf32>
    scf.for %j = %c0 to %n step %c1 {
      cf.assert %go, "go"
      // expected-error @+1 {{no snapshot can undo or repeat this, and 'vector.print' has effects on more than its operands}}
      vector.print %v : vector<4xf32>
    }
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// Random numbers of a state that nobody sees, in a function that the loop calls.
func.func private @draw(%x: tensor<8xf32>, %go: i1) -> tensor<8xf32> {
  cf.assert %go, "go"
  // expected-error @+1 {{no snapshot can undo or repeat this, and 'my.random' does not give the same result twice}}
  %y = "my.random"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @draws(%x: tensor<8xf32>, %n: index, %go: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @+1 {{the loop that is to take snapshots is here}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %b = func.call @draw(%a, %go) : (tensor<8xf32>, i1) -> tensor<8xf32>
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

// -----

// A task that an iteration waits for, but that was started before it.
func.func @awaits(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = async.execute {
    async.yield
  }
  // expected-note @+1 {{the loop that is to take snapshots is here}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %b = math.sin %a : tensor<8xf32>
    // expected-error @+1 {{no snapshot can undo or repeat this, and 'async.await' is ordered by an asynchronous token}}
    async.await %t : !async.token
    scf.yield %b : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}
