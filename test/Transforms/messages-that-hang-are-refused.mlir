// RUN: pebble-opt %s --split-input-file --verify-diagnostics --pebble-verify-messages=ranks=2

// Two that send first: neither receives.
func.func @main(%x: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %other = arith.subi %one, %r : i32
  // expected-error@+2 {{'mpi.send' op is where rank 0 waits for ever: ranks wait for each other in a circle, 0 -> 1 -> 0}}
  // expected-note@+1 {{rank 1 waits here}}
  mpi.send(%x, %zero, %other, %w) : memref<4xf32>, i32, i32
  mpi.recv(%x, %zero, %other, %w) : memref<4xf32>, i32, i32
  return
}

// -----

// Started sends let the receives come.
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %other = arith.subi %one, %r : i32
  %s = mpi.isend(%x, %zero, %other, %w) : memref<4xf32>, i32, i32 -> !mpi.request
  mpi.recv(%y, %zero, %other, %w) : memref<4xf32>, i32, i32
  mpi.wait(%s) : !mpi.request
  return
}

// -----

// Collectives in one order on rank 0 and in the other on rank 1.
func.func @main(%x: memref<4xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %first = arith.cmpi eq, %r, %zero : i32
  scf.if %first {
    // expected-note@+1 {{rank 0 does this}}
    mpi.allreduce(%x, %x, MPI_SUM, %w) : memref<4xf32>, memref<4xf32>
    mpi.allreduce(%y, %y, MPI_SUM, %w) : memref<8xf32>, memref<8xf32>
  } else {
    // expected-error@+1 {{'mpi.allreduce' op is what rank 1 does where rank 0 does something else}}
    mpi.allreduce(%y, %y, MPI_SUM, %w) : memref<8xf32>, memref<8xf32>
    mpi.allreduce(%x, %x, MPI_SUM, %w) : memref<4xf32>, memref<4xf32>
  }
  return
}

// -----

// One does not come.
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %first = arith.cmpi eq, %r, %zero : i32
  %0 = scf.if %first -> tensor<4xf32> {
    // expected-error@+1 {{'pebble.collective' op is where rank 0 waits for ever: nobody does the other half of it}}
    %1 = pebble.collective all_reduce %x into %y group = 2 stride = 1 ranks = 2 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: memref<4xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %first = arith.cmpi eq, %r, %zero : i32
  scf.if %first {
    // expected-error@+1 {{'mpi.send' op of rank 0 has 16 bytes, and rank 1 receives 32}}
    mpi.send(%x, %zero, %one, %w) : memref<4xf32>, i32, i32
  } else {
    // expected-note@+1 {{rank 1 receives it here}}
    mpi.recv(%y, %zero, %zero, %w) : memref<8xf32>, i32, i32
  }
  return
}

// -----

func.func @main(%x: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %w = mpi.comm_world : !mpi.comm
  // expected-error@+1 {{'mpi.send' op of rank 0 names a rank that there is not among 2}}
  mpi.send(%x, %zero, %seven, %w) : memref<4xf32>, i32, i32
  return
}

// -----

// What nobody receives is said, and what is not waited for may yet come.
func.func @main(%x: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  // expected-error@+1 {{'mpi.isend' op is started by rank 0, and nobody does the other half of it}}
  %s = mpi.isend(%x, %zero, %zero, %w) : memref<4xf32>, i32, i32 -> !mpi.request
  return
}

// -----

// A send that nobody receives.
func.func @main(%x: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %other = arith.subi %one, %r : i32
  %first = arith.cmpi eq, %r, %zero : i32
  scf.if %first {
    // expected-error@+1 {{'mpi.send' op is where rank 0 waits for ever: nobody does the other half of it}}
    mpi.send(%x, %zero, %other, %w) : memref<4xf32>, i32, i32
  }
  return
}

// -----

// A request ends with the first wait for it.
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %other = arith.subi %one, %r : i32
  %q = mpi.isend(%x, %zero, %other, %w) : memref<4xf32>, i32, i32 -> !mpi.request
  mpi.recv(%y, %zero, %other, %w) : memref<4xf32>, i32, i32
  mpi.wait(%q) : !mpi.request
  // expected-error@+1 {{'mpi.wait' op waits for a request of rank 0 that was waited for before}}
  mpi.wait(%q) : !mpi.request
  return
}

// -----

// A wait for what nobody has started here.
func.func @main(%q: !mpi.request) {
  // expected-error@+1 {{cannot tell what rank 0 does here: its request is known to the run alone}}
  mpi.wait(%q) : !mpi.request
  return
}

// -----

// Where data decide, nobody can tell before.
func.func @main(%x: memref<4xf32>, %c: i1) {
  %w = mpi.comm_world : !mpi.comm
  // expected-error@+2 {{cannot tell what rank 0 does here: the condition is known to the run alone}}
  // expected-note@+1 {{what all ranks put together}}
  scf.if %c {
    mpi.barrier(%w)
  }
  return
}

// -----

// Groups that were split off, in a loop and behind a call.
func.func private @sum(%x: memref<4xf32>, %g: !mpi.comm) {
  mpi.allreduce(%x, %x, MPI_SUM, %g) : memref<4xf32>, memref<4xf32>
  return
}
func.func @main(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %g = mpi.comm_split(%w, %zero, %r) : !mpi.comm
  %alone = mpi.comm_split(%w, %r, %zero) : !mpi.comm
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @sum(%x, %g) : (memref<4xf32>, !mpi.comm) -> ()
    func.call @sum(%x, %alone) : (memref<4xf32>, !mpi.comm) -> ()
  }
  return
}

// -----

// Rows first on two ranks, columns first on the others, would be a circle; the
// program's ranks are too many here.
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'pebble.collective' op is for 4 ranks, and 2 run it}}
  %0 = pebble.collective all_reduce %x into %y group = 4 stride = 1 ranks = 4 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What talks may be several calls away.
func.func private @meet(%g: !mpi.comm) {
  // expected-error@+1 {{'mpi.barrier' op is where rank 0 waits for ever: nobody does the other half of it}}
  mpi.barrier(%g)
  return
}
func.func private @prepare(%g: !mpi.comm) {
  func.call @meet(%g) : (!mpi.comm) -> ()
  return
}
func.func @main() {
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %first = arith.cmpi eq, %r, %zero : i32
  scf.if %first {
    func.call @prepare(%w) : (!mpi.comm) -> ()
  }
  return
}

// -----

func.func private @meet(%g: !mpi.comm) {
  mpi.barrier(%g)
  return
}
func.func private @prepare(%g: !mpi.comm) {
  func.call @meet(%g) : (!mpi.comm) -> ()
  return
}
func.func @main(%c: i1) {
  %w = mpi.comm_world : !mpi.comm
  // expected-error@+2 {{cannot tell what rank 0 does here: the condition is known to the run alone}}
  // expected-note@+1 {{what all ranks put together}}
  scf.if %c {
    func.call @prepare(%w) : (!mpi.comm) -> ()
  }
  return
}

// -----

// In the second round the data say who the other one is, though in the first
// one that was known.
func.func @main(%x: memref<4xf32>, %n: memref<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %other = arith.subi %one, %r : i32
  scf.for %i = %c0 to %c2 step %c1 iter_args(%k = %zero) -> i32 {
    %c = arith.cmpi eq, %k, %zero : i32
    %peer = scf.if %c -> i32 {
      scf.yield %other : i32
    } else {
      scf.yield %r : i32
    }
    // expected-error@+1 {{cannot tell what rank 0 does here: its rank, tag, communicator or size is known to the run alone}}
    %s = mpi.isend(%x, %zero, %peer, %w) : memref<4xf32>, i32, i32 -> !mpi.request
    mpi.recv(%x, %zero, %other, %w) : memref<4xf32>, i32, i32
    mpi.wait(%s) : !mpi.request
    %m = memref.load %n[] : memref<i32>
    scf.yield %m : i32
  }
  return
}

// -----

// What a loop, and a call, hand back is known where they are played.
func.func private @turn(%g: !mpi.comm, %k: i32) -> i32 {
  %one = arith.constant 1 : i32
  mpi.barrier(%g)
  %next = arith.subi %one, %k : i32
  return %next : i32
}
func.func @main(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %other = scf.for %i = %c0 to %c3 step %c1 iter_args(%k = %r) -> i32 {
    %n = func.call @turn(%w, %k) : (!mpi.comm, i32) -> i32
    scf.yield %n : i32
  }
  // expected-error@+2 {{'mpi.send' op is where rank 0 waits for ever: ranks wait for each other in a circle, 0 -> 1 -> 0}}
  // expected-note@+1 {{rank 1 waits here}}
  mpi.send(%x, %zero, %other, %w) : memref<4xf32>, i32, i32
  mpi.recv(%x, %zero, %other, %w) : memref<4xf32>, i32, i32
  return
}

// -----

// A loop that never sends takes no more time to refuse than one that does.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1000000000000 : index
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %never = arith.cmpi slt, %r, %zero : i32
  // expected-error@+1 {{cannot tell what rank 0 does here: the loop is too long to be played}}
  scf.for %i = %c0 to %many step %c1 {
    scf.if %never {
      mpi.barrier(%w)
    }
  }
  return
}

// -----

// One round: a second one would begin behind the greatest number.
func.func @main() {
  %c0 = arith.constant 0 : index
  %step = arith.constant 9000000000000000000 : index
  %most = arith.constant 9223372036854775807 : index
  %w = mpi.comm_world : !mpi.comm
  scf.for %i = %c0 to %most step %step {
    mpi.barrier(%w)
  }
  return
}

// -----

// As many bytes, but of other elements.
func.func @main(%x: memref<4xf32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %first = arith.cmpi eq, %r, %zero : i32
  scf.if %first {
    // expected-note@+1 {{rank 0 does this}}
    pebble.collective all_reduce %x into %x group = 2 stride = 1 ranks = 2 : memref<4xf32>, memref<4xf32>
  } else {
    // expected-error@+1 {{'pebble.collective' op is what rank 1 does where rank 0 does something else}}
    pebble.collective all_reduce %y into %y group = 2 stride = 1 ranks = 2 : memref<4xi32>, memref<4xi32>
  }
  return
}

// -----

func.func @main(%x: memref<4xf32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %first = arith.cmpi eq, %r, %zero : i32
  scf.if %first {
    // expected-note@+1 {{rank 0 does this}}
    mpi.allreduce(%x, %x, MPI_SUM, %w) : memref<4xf32>, memref<4xf32>
  } else {
    // expected-error@+1 {{'mpi.allreduce' op is what rank 1 does where rank 0 does something else}}
    mpi.allreduce(%y, %y, MPI_SUM, %w) : memref<4xi32>, memref<4xi32>
  }
  return
}

// -----

// Parts of as many bytes, whose rows do not fit beside each other.
func.func @main(%x: memref<2x4xf32>, %xs: memref<2x8xf32>, %y: memref<4x2xf32>, %ys: memref<4x4xf32>) {
  %zero = arith.constant 0 : i32
  %w = mpi.comm_world : !mpi.comm
  %r = mpi.comm_rank(%w) : i32
  %first = arith.cmpi eq, %r, %zero : i32
  scf.if %first {
    // expected-note@+1 {{rank 0 does this}}
    pebble.collective all_gather %x into %xs group = 2 stride = 1 ranks = 2 axis = 1 : memref<2x4xf32>, memref<2x8xf32>
  } else {
    // expected-error@+1 {{'pebble.collective' op is what rank 1 does where rank 0 does something else}}
    pebble.collective all_gather %y into %ys group = 2 stride = 1 ranks = 2 axis = 1 : memref<4x2xf32>, memref<4x4xf32>
  }
  return
}
