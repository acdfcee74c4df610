// RUN: pebble-opt %s --split-input-file --verify-diagnostics --pebble-order-operations

// Orders that break a dependence through a name that the op itself does not
// show: a loop that swaps its buffers, a branch inside a branch, an address.

func.func @loop_swaps_its_buffers(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  linalg.fill ins(%one : f32) outs(%y : memref<4xf32>)
  // expected-note @below {{is here, dictated to place 1}}
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xf32>, memref<4xf32>) {
    memref.store %two, %b[%i] : memref<4xf32>
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  } {pebble.order = 1}
  // expected-error @below {{the dictated order breaks the flow dependence on %x}}
  // expected-note @below {{is here, dictated to place 0}}
  %v = memref.load %x[%c1] {pebble.order = 0} : memref<4xf32>
  memref.store %v, %out[%c0] : memref<4xf32>
  return
}

// -----

func.func @condition_forwards_another_buffer(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  linalg.fill ins(%one : f32) outs(%y : memref<4xf32>)
  // expected-note @below {{is here, dictated to place 1}}
  %r = scf.while (%i = %c0) : (index) -> (memref<4xf32>) {
    %c = arith.cmpi ult, %i, %c1 : index
    scf.condition(%c) %x : memref<4xf32>
  } do {
  ^bb0(%m: memref<4xf32>):
    memref.store %two, %m[%c1] : memref<4xf32>
    scf.yield %c1 : index
  } attributes {pebble.order = 1}
  // expected-error @below {{the dictated order breaks the flow dependence on %x}}
  // expected-note @below {{is here, dictated to place 0}}
  %v = memref.load %x[%c1] {pebble.order = 0} : memref<4xf32>
  memref.store %v, %out[%c0] : memref<4xf32>
  return
}

// -----

func.func @inner_branch_picks_the_buffer(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  linalg.fill ins(%one : f32) outs(%y : memref<4xf32>)
  // expected-note @below {{is here, dictated to place 1}}
  scf.if %true {
    %s = scf.if %true -> (memref<4xf32>) {
      scf.yield %x : memref<4xf32>
    } else {
      scf.yield %y : memref<4xf32>
    }
    memref.store %two, %s[%c1] : memref<4xf32>
  } {pebble.order = 1}
  // expected-error @below {{the dictated order breaks the flow dependence on %x}}
  // expected-note @below {{is here, dictated to place 0}}
  %v = memref.load %x[%c1] {pebble.order = 0} : memref<4xf32>
  memref.store %v, %out[%c0] : memref<4xf32>
  return
}

// -----

func.func @block_of_a_region_is_handed_a_buffer(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  linalg.fill ins(%one : f32) outs(%y : memref<4xf32>)
  // expected-note @below {{is here, dictated to place 1}}
  scf.execute_region {
    cf.br ^bb1(%x : memref<4xf32>)
  ^bb1(%m: memref<4xf32>):
    memref.store %two, %m[%c1] : memref<4xf32>
    scf.yield
  } {pebble.order = 1}
  // expected-error @below {{the dictated order breaks the flow dependence on %x}}
  // expected-note @below {{is here, dictated to place 0}}
  %v = memref.load %x[%c1] {pebble.order = 0} : memref<4xf32>
  memref.store %v, %out[%c0] : memref<4xf32>
  return
}

// -----

func.func @metadata_of_a_buffer(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  linalg.fill ins(%one : f32) outs(%y : memref<4xf32>)
  %base, %o, %s, %st = memref.extract_strided_metadata %x : memref<4xf32> -> memref<f32>, index, index, index
  %m = memref.reinterpret_cast %base to offset: [0], sizes: [4], strides: [1] : memref<f32> to memref<4xf32>
  // expected-note @below {{is here, dictated to place 1}}
  memref.store %two, %m[%c1] {pebble.order = 1} : memref<4xf32>
  // expected-error @below {{the dictated order breaks the flow dependence on %x}}
  // expected-note @below {{is here, dictated to place 0}}
  %v = memref.load %x[%c1] {pebble.order = 0} : memref<4xf32>
  memref.store %v, %out[%c0] : memref<4xf32>
  return
}

// -----

func.func @address_as_an_integer(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  linalg.fill ins(%one : f32) outs(%y : memref<4xf32>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xf32> -> index
  %i = arith.index_cast %p : index to i64
  %ptr = llvm.inttoptr %i : i64 to !llvm.ptr
  // expected-note @below {{is here, dictated to place 1}}
  llvm.store %two, %ptr {pebble.order = 1} : f32, !llvm.ptr
  // expected-error @below {{the dictated order breaks the flow dependence on %x}}
  // expected-note @below {{is here, dictated to place 0}}
  %v = memref.load %x[%c1] {pebble.order = 0} : memref<4xf32>
  memref.store %v, %out[%c0] : memref<4xf32>
  return
}

// -----

func.func @affine_loop_swaps_its_buffers(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  linalg.fill ins(%one : f32) outs(%y : memref<4xf32>)
  // expected-note @below {{is here, dictated to place 1}}
  %r:2 = affine.for %i = 0 to 2 iter_args(%a = %x, %b = %y) -> (memref<4xf32>, memref<4xf32>) {
    memref.store %two, %b[%i] : memref<4xf32>
    affine.yield %b, %a : memref<4xf32>, memref<4xf32>
  } {pebble.order = 1}
  // expected-error @below {{the dictated order breaks the flow dependence on %x}}
  // expected-note @below {{is here, dictated to place 0}}
  %v = memref.load %x[%c1] {pebble.order = 0} : memref<4xf32>
  memref.store %v, %out[%c0] : memref<4xf32>
  return
}

// -----

func.func private @swap(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2.0 : f32
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xf32>, memref<4xf32>) {
    memref.store %two, %b[%i] : memref<4xf32>
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  return
}
func.func @callee_swaps_its_buffers(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  linalg.fill ins(%one : f32) outs(%y : memref<4xf32>)
  // expected-note @below {{is here, dictated to place 1}}
  func.call @swap(%x, %y) {pebble.order = 1} : (memref<4xf32>, memref<4xf32>) -> ()
  // expected-error @below {{the dictated order breaks the flow dependence on %x}}
  // expected-note @below {{is here, dictated to place 0}}
  %v = memref.load %x[%c1] {pebble.order = 0} : memref<4xf32>
  memref.store %v, %out[%c0] : memref<4xf32>
  return
}
