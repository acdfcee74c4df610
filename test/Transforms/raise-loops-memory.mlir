// RUN: pebble-opt %s --pebble-raise-loops --split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-raise-loops --split-input-file --remarks-filter=pebble-raise-loops 2>&1 | FileCheck %s --check-prefix=REMARK

// A tape in memory goes with its allocation.
// CHECK-LABEL: func.func @memory_tape
// CHECK: pebble.adjoint_loop
// CHECK-NOT: memref
// CHECK: return
// REMARK: remark: [Passed] raise | {{.*}}"raised from two loops with 1 reads of tapes between them"
func.func @memory_tape(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<100xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    memref.store %s, %m[%i] : memref<100xf32>
    %next = math.sin %s : f32
    scf.yield %next : f32
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f32 {
    %k = arith.subi %last, %i : index
    %s = memref.load %m[%k] : memref<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  memref.dealloc %m : memref<100xf32>
  return %dx : f32
}

// -----

// A tape that is an argument may be another one's memory too.
// CHECK-LABEL: func.func @memory_of_others
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}}a tape in memory is not allocated for it alone, so others may read or write it
func.func @memory_of_others(%n: index, %x: f32, %m: memref<100xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    memref.store %s, %m[%i] : memref<100xf32>
    %next = math.sin %s : f32
    scf.yield %next : f32
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f32 {
    %k = arith.subi %last, %i : index
    %s = memref.load %m[%k] : memref<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  return %dx : f32
}

// -----

// Somebody overwrites the tape between the loops.
// CHECK-LABEL: func.func @memory_overwritten
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}}a tape in memory is read or written by a 'memref.store' that is no read of a part of it in the backward loop
func.func @memory_overwritten(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<100xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    memref.store %s, %m[%i] : memref<100xf32>
    %next = math.sin %s : f32
    scf.yield %next : f32
  }
  memref.store %x, %m[%c1] : memref<100xf32>
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f32 {
    %k = arith.subi %last, %i : index
    %s = memref.load %m[%k] : memref<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  memref.dealloc %m : memref<100xf32>
  return %dx : f32
}

// -----

// Somebody reads it after the loops.
// CHECK-LABEL: func.func @memory_read
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}}a tape in memory is read or written by a 'memref.load' that is no read
func.func @memory_read(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<100xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    memref.store %s, %m[%i] : memref<100xf32>
    %next = math.sin %s : f32
    scf.yield %next : f32
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f32 {
    %k = arith.subi %last, %i : index
    %s = memref.load %m[%k] : memref<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  %e = memref.load %m[%c1] : memref<100xf32>
  %sum = arith.addf %dx, %e : f32
  memref.dealloc %m : memref<100xf32>
  return %sum : f32
}

// -----

// The backward loop reads in the order of the forward one.
// CHECK-LABEL: func.func @memory_read_forward
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}}a tape is not read in the reverse of the order in which it is written
func.func @memory_read_forward(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<100xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    memref.store %s, %m[%i] : memref<100xf32>
    %next = math.sin %s : f32
    scf.yield %next : f32
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f32 {
    %k = arith.subi %last, %i : index
    %s = memref.load %m[%i] : memref<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  memref.dealloc %m : memref<100xf32>
  return %dx : f32
}

// -----

// The backward loop reads one step off.
// CHECK-LABEL: func.func @memory_read_off
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}}a tape is not read in the reverse of the order in which it is written
func.func @memory_read_off(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<100xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    memref.store %s, %m[%i] : memref<100xf32>
    %next = math.sin %s : f32
    scf.yield %next : f32
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f32 {
    %k = arith.subi %last, %i : index
    %k1 = arith.addi %k, %c1 : index
    %s = memref.load %m[%k1] : memref<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  memref.dealloc %m : memref<100xf32>
  return %dx : f32
}

// -----

// A step of the forward loop reads what an earlier one wrote.
// CHECK-LABEL: func.func @memory_read_by_forward
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}}a tape in memory is used twice in a step of the forward loop: 'memref.load'
func.func @memory_read_by_forward(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<100xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    memref.store %s, %m[%i] : memref<100xf32>
    %z = memref.load %m[%c0] : memref<100xf32>
    %next = math.sin %s : f32
    scf.yield %next : f32
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f32 {
    %k = arith.subi %last, %i : index
    %s = memref.load %m[%k] : memref<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  memref.dealloc %m : memref<100xf32>
  return %dx : f32
}

// -----

// The backward loop runs a step less.
// CHECK-LABEL: func.func @memory_other_length
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}}the two loops are not known to run equally often
func.func @memory_other_length(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<100xf32>
  %n1 = arith.subi %n, %c1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    memref.store %s, %m[%i] : memref<100xf32>
    %next = math.sin %s : f32
    scf.yield %next : f32
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n1 step %c1 iter_args(%a = %y) -> f32 {
    %k = arith.subi %last, %i : index
    %s = memref.load %m[%k] : memref<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  memref.dealloc %m : memref<100xf32>
  return %dx : f32
}

// -----

// The backward loop writes to memory that is no tape.
// CHECK-LABEL: func.func @memory_effects
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}}'memref.store' in it may have effects
func.func @memory_effects(%n: index, %x: f32, %o: memref<f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<100xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f32 {
    memref.store %s, %m[%i] : memref<100xf32>
    %next = math.sin %s : f32
    scf.yield %next : f32
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> f32 {
    %k = arith.subi %last, %i : index
    %s = memref.load %m[%k] : memref<100xf32>
    memref.store %a, %o[] : memref<f32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  memref.dealloc %m : memref<100xf32>
  return %dx : f32
}

// -----

// Tensors are written to parts of a buffer, and read from them.
// CHECK-LABEL: func.func @memory_views
// CHECK: pebble.adjoint_loop %c50{{[_0-9]*}} states(%arg0 : tensor<8xf32>)
// CHECK-NOT: memref
// CHECK: return
// REMARK: remark: [Passed] raise | {{.*}}"raised from two loops with 2 reads of tapes between them"
func.func @memory_views(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c49 = arith.constant 49 : index
  %c50 = arith.constant 50 : index
  %m = memref.alloc() : memref<50x8xf32>
  %l = memref.alloc() : memref<50x8xf32>
  %y = scf.for %i = %c0 to %c50 step %c1 iter_args(%s = %x) -> tensor<8xf32> {
    %v = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<50x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    bufferization.materialize_in_destination %s in writable %v : (tensor<8xf32>, memref<8xf32, strided<[1], offset: ?>>) -> ()
    %next = math.sin %s : tensor<8xf32>
    %b = bufferization.to_buffer %next : tensor<8xf32> to memref<8xf32>
    %w = memref.subview %l[%i, 0] [1, 8] [1, 1] : memref<50x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %b, %w : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
    scf.yield %next : tensor<8xf32>
  }
  %dx = scf.for %i = %c0 to %c50 step %c1 iter_args(%a = %y) -> tensor<8xf32> {
    %k = arith.subi %c49, %i : index
    %v = memref.subview %m[%k, 0] [1, 8] [1, 1] : memref<50x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %s = bufferization.to_tensor %v restrict : memref<8xf32, strided<[1], offset: ?>> to tensor<8xf32>
    %w = memref.subview %l[%k, 0] [1, 8] [1, 1] : memref<50x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    %t = bufferization.to_tensor %w restrict : memref<8xf32, strided<[1], offset: ?>> to tensor<8xf32>
    %cos = math.cos %s : tensor<8xf32>
    %p = arith.mulf %a, %cos : tensor<8xf32>
    %next = arith.addf %p, %t : tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %dx : tensor<8xf32>
}

// -----

// The state is a buffer: no slot can keep it.
// CHECK-LABEL: func.func @memory_state
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}} a state is a memref, which no slot can keep
func.func @memory_state(%n: index, %x: memref<f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<100xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> memref<f32> {
    %v = memref.load %s[] : memref<f32>
    memref.store %v, %m[%i] : memref<100xf32>
    %next = math.sin %v : f32
    %b = memref.alloc() : memref<f32>
    memref.store %next, %b[] : memref<f32>
    scf.yield %b : memref<f32>
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one) -> f32 {
    %k = arith.subi %last, %i : index
    %s = memref.load %m[%k] : memref<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  memref.dealloc %m : memref<100xf32>
  return %dx : f32
}

// -----

// A state that is updated in memory.
// CHECK-LABEL: func.func @memory_state_in_place
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}} the forward loop carries no state as a value
func.func @memory_state_in_place(%n: index, %x: memref<f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<100xf32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[] : memref<f32>
    memref.store %v, %m[%i] : memref<100xf32>
    %next = math.sin %v : f32
    memref.store %next, %x[] : memref<f32>
  }
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one) -> f32 {
    %k = arith.subi %last, %i : index
    %s = memref.load %m[%k] : memref<100xf32>
    %cos = math.cos %s : f32
    %next = arith.mulf %a, %cos : f32
    scf.yield %next : f32
  }
  memref.dealloc %m : memref<100xf32>
  return %dx : f32
}

// -----

// The backward loop reads a tape that was written to between the loops.
// CHECK-LABEL: func.func @overwritten
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}} nothing goes over a tape from one to the other
func.func @overwritten(%n: index, %x: f32, %t0: tensor<100xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0) -> (f32, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %next = math.sin %s : f32
    scf.yield %next, %u : f32, tensor<100xf32>
  }
  %t1 = tensor.insert %x into %y#1[%c1] : tensor<100xf32>
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y#0) -> f32 {
    %k = arith.subi %last, %i : index
    %s = tensor.extract %t1[%k] : tensor<100xf32>
    %next = arith.mulf %a, %s : f32
    scf.yield %next : f32
  }
  return %dx : f32
}

// -----

// The same with another tape between the loops, which nobody wrote to. What was
// written to is an output of the steps: the forward loop stays for it, and its
// steps read what was made of it.
// CHECK-LABEL: func.func @overwritten_one_of_two
// CHECK: %[[Y:.*]]:2 = scf.for {{.*}} -> (f32, tensor<100xf32>)
// CHECK: %[[T1:.*]] = tensor.insert %arg1 into %[[Y]]#1
// CHECK: pebble.adjoint_loop {{.*}} states(%arg1 : f32) adjoints(%[[Y]]#0 : f32) primal {
// CHECK: adjoint {
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[S:.*]]: f32, %[[A:.*]]: f32):
// CHECK: %[[R:.*]] = tensor.extract %[[T1]]
// CHECK: %[[Q:.*]] = arith.mulf %[[A]], %[[R]]
// CHECK: arith.mulf %[[Q]], %[[S]]
// REMARK: remark: [Passed] raise | {{.*}}raised from two loops with 1 reads of tapes between them
func.func @overwritten_one_of_two(%n: index, %x: f32, %t0: tensor<100xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0, %r = %t0) -> (f32, tensor<100xf32>, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %v = tensor.insert %s into %r[%i] : tensor<100xf32>
    %next = math.sin %s : f32
    scf.yield %next, %u, %v : f32, tensor<100xf32>, tensor<100xf32>
  }
  %t1 = tensor.insert %x into %y#1[%c1] : tensor<100xf32>
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y#0) -> f32 {
    %k = arith.subi %last, %i : index
    %s = tensor.extract %t1[%k] : tensor<100xf32>
    %p = tensor.extract %y#2[%k] : tensor<100xf32>
    %q = arith.mulf %a, %s : f32
    %next = arith.mulf %q, %p : f32
    scf.yield %next : f32
  }
  return %dx : f32
}

// -----

// What the turn needs must have no effects, for it runs elsewhere.
// CHECK-LABEL: func.func @turn_reads_memory
// CHECK-NOT: pebble.adjoint_loop
// REMARK: remark: [Missed] raise | {{.*}} the backward loop needs a 'memref.load' between the loops that may have effects
func.func @turn_reads_memory(%n: index, %x: f32, %t0: tensor<100xf32>, %m: memref<f32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0) -> (f32, tensor<100xf32>) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %next = math.sin %s : f32
    scf.yield %next, %u : f32, tensor<100xf32>
  }
  memref.store %x, %m[] : memref<f32>
  %scale = memref.load %m[] : memref<f32>
  %a0 = arith.mulf %y#0, %scale : f32
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0) -> f32 {
    %k = arith.subi %last, %i : index
    %s = tensor.extract %y#1[%k] : tensor<100xf32>
    %next = arith.mulf %a, %s : f32
    scf.yield %next : f32
  }
  return %dx : f32
}

// -----

// How often the forward loop ran is known without it, in the turn too.
// CHECK-LABEL: func.func @turn_counts
// CHECK: pebble.adjoint_loop
// CHECK: turn {
// CHECK: arith.sitofp
// REMARK: remark: [Passed] raise
func.func @turn_counts(%n: index, %x: f32, %t0: tensor<100xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = arith.constant 2 : i32
  %z = arith.constant 0 : i32
  %y:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %t0, %c = %z) -> (f32, tensor<100xf32>, i32) {
    %u = tensor.insert %s into %t[%i] : tensor<100xf32>
    %next = math.sin %s : f32
    %more = arith.addi %c, %o : i32
    scf.yield %next, %u, %more : f32, tensor<100xf32>, i32
  }
  %count = arith.sitofp %y#2 : i32 to f32
  %a0 = arith.mulf %y#0, %count : f32
  %last = arith.subi %n, %c1 : index
  %dx = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0) -> f32 {
    %k = arith.subi %last, %i : index
    %s = tensor.extract %y#1[%k] : tensor<100xf32>
    %next = arith.mulf %a, %s : f32
    scf.yield %next : f32
  }
  return %dx : f32
}
