// RUN: pebble-opt %s --split-input-file --verify-diagnostics --pebble-verify-messages=ranks=2

// What all ranks have put together is the same on all of them: an update that is
// left out where the sum is too large is left out by all.
func.func @main(%x: tensor<f32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %most = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<f32>
  %sum = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 reduction = max : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = tensor.extract %sum[] : tensor<f32>
  %small = arith.cmpf olt, %s, %most : f32
  %r = scf.if %small -> tensor<4xf32> {
    %e2 = tensor.empty() : tensor<4xf32>
    %all = pebble.collective all_reduce %y into %e2 group = 2 stride = 1 ranks = 2 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    scf.yield %all : tensor<4xf32>
  } else {
    scf.yield %z : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Both sides are looked at: in one of them a rank waits for ever.
func.func @main(%x: tensor<f32>, %y: memref<4xf32>) {
  %most = arith.constant 1.0 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<f32>
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %first = arith.cmpi eq, %r, %zero : i32
  %sum = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = tensor.extract %sum[] : tensor<f32>
  %small = arith.cmpf olt, %s, %most : f32
  scf.if %small {
    scf.if %first {
      // expected-error@+1 {{'mpi.barrier' op is where rank 0 waits for ever: nobody does the other half of it}}
      mpi.barrier(%w)
    }
  }
  return
}

// -----

// A value of its own decides on each rank.
func.func @main(%x: tensor<f32>, %y: memref<4xf32>) {
  %most = arith.constant 1.0 : f32
  %w = mpi.comm_world : !mpi.comm
  %s = tensor.extract %x[] : tensor<f32>
  %small = arith.cmpf olt, %s, %most : f32
  // expected-error@+2 {{cannot tell what rank 0 does here: the condition is known to the run alone}}
  // expected-note@+1 {{what all ranks put together, gather or broadcast is the same on all of them, and so is what is computed of that alone}}
  scf.if %small {
    mpi.allreduce(%y, %y, MPI_SUM, %w) : memref<4xf32>, memref<4xf32>
  }
  return
}

// -----

// A sum of half of the ranks is another one on the other half.
func.func @main(%x: tensor<f32>, %y: memref<4xf32>) {
  %most = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<f32>
  %w = mpi.comm_world : !mpi.comm
  %part = pebble.collective all_reduce %x into %e group = 1 stride = 1 ranks = 2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = tensor.extract %part[] : tensor<f32>
  %small = arith.cmpf olt, %s, %most : f32
  // expected-error@+2 {{cannot tell what rank 0 does here: the condition is known to the run alone}}
  // expected-note@+1 {{what all ranks put together}}
  scf.if %small {
    mpi.barrier(%w)
  }
  return
}

// -----

// All that agree on a value come here only on one of the ranks.
func.func @main(%x: tensor<f32>, %y: memref<4xf32>) {
  %most = arith.constant 1.0 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<f32>
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %first = arith.cmpi eq, %r, %zero : i32
  %sum = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 : tensor<f32>, tensor<f32> -> tensor<f32>
  %s = tensor.extract %sum[] : tensor<f32>
  %small = arith.cmpf olt, %s, %most : f32
  scf.if %first {
    // expected-error@+2 {{cannot tell what rank 0 does here: the condition is known to the run alone}}
    // expected-note@+1 {{whether a rank comes here depends on its number or its data}}
    scf.if %small {
      mpi.barrier(%w)
    }
  }
  return
}

// -----

// Until all of them are done: nobody knows how often, but it is as often on all.
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %most = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<f32>
  %y = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %sum = pebble.collective all_reduce %a into %e group = 2 stride = 1 ranks = 2 : tensor<f32>, tensor<f32> -> tensor<f32>
    %s = tensor.extract %sum[] : tensor<f32>
    %large = arith.cmpf ogt, %s, %most : f32
    scf.condition(%large) %sum : tensor<f32>
  } do {
  ^bb0(%b: tensor<f32>):
    %h = math.sin %b : tensor<f32>
    scf.yield %h : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

// The bounds of a loop may be agreed on as well. A send in each round that is
// waited for in the next one meets its receive too late.
func.func @main(%x: tensor<i32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<i32>
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %other = arith.subi %one, %r : i32
  %sum = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 reduction = max : tensor<i32>, tensor<i32> -> tensor<i32>
  %s = tensor.extract %sum[] : tensor<i32>
  %n = arith.index_cast %s : i32 to index
  scf.for %i = %c0 to %n step %c1 {
    %q = mpi.isend(%y, %zero, %other, %w) : memref<4xf32>, i32, i32 -> !mpi.request
    mpi.recv(%y, %zero, %other, %w) : memref<4xf32>, i32, i32
    mpi.wait(%q) : !mpi.request
  }
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+2 {{'mpi.send' op is where rank 0 waits for ever: ranks wait for each other in a circle, 0 -> 1 -> 0}}
    // expected-note@+1 {{rank 1 waits here}}
    mpi.send(%y, %zero, %other, %w) : memref<4xf32>, i32, i32
    mpi.recv(%y, %zero, %other, %w) : memref<4xf32>, i32, i32
  }
  return
}

// -----

// Whom a rank sends to in a later round is not told by the first ones.
func.func @main(%x: tensor<i32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<i32>
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %sum = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 reduction = max : tensor<i32>, tensor<i32> -> tensor<i32>
  %s = tensor.extract %sum[] : tensor<i32>
  %n = arith.index_cast %s : i32 to index
  scf.for %i = %c0 to %n step %c1 iter_args(%k = %r) -> i32 {
    // expected-error@+1 {{cannot tell what rank 0 does here: its rank, tag, communicator or size is known to the run alone}}
    %q = mpi.isend(%y, %zero, %k, %w) : memref<4xf32>, i32, i32 -> !mpi.request
    mpi.wait(%q) : !mpi.request
    %next = arith.subi %one, %k : i32
    scf.yield %next : i32
  }
  return
}

// -----

// What a loop carries may be the rank's own after some rounds.
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %most = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<f32>
  %w = mpi.comm_world : !mpi.comm
  %sum = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 : tensor<f32>, tensor<f32> -> tensor<f32>
  // expected-error@+2 {{cannot tell what rank 0 does here: the condition is known to the run alone}}
  // expected-note@+1 {{what all ranks put together}}
  %z:3 = scf.while (%a = %sum, %b = %sum, %c = %y) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
    %s = tensor.extract %a[] : tensor<f32>
    %large = arith.cmpf ogt, %s, %most : f32
    scf.condition(%large) %a, %b, %c : tensor<f32>, tensor<f32>, tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>):
    mpi.barrier(%w)
    scf.yield %b, %c, %c : tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %z#0 : tensor<f32>
}
