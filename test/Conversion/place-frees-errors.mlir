// RUN: pebble-opt --pebble-place-frees --split-input-file --verify-diagnostics %s

func.func @freed_twice(%f: f32) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  memref.dealloc %a : memref<4xf32>
  // expected-error @below {{frees a buffer that is freed already}}
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

func.func @freed_in_a_branch(%f: f32, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  scf.if %c {
    // expected-error @below {{cannot place this free: it does not stand in the region that owns the buffer}}
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// -----

func.func @freed_through_a_selection(%f: f32, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  // expected-error @below {{cannot tell which buffer this frees}}
  memref.dealloc %s : memref<4xf32>
  return
}

// -----

func.func private @down(%x: memref<4xf32>, %n: i32) -> memref<4xf32> {
  // expected-error @below {{recursion that returns a buffer is not supported: nobody knows who frees it}}
  %y = func.call @down(%x, %n) : (memref<4xf32>, i32) -> memref<4xf32>
  return %y : memref<4xf32>
}

// -----

func.func private @even(%x: memref<4xf32>) -> memref<4xf32> {
  %y = func.call @odd(%x) : (memref<4xf32>) -> memref<4xf32>
  return %y : memref<4xf32>
}
func.func private @odd(%x: memref<4xf32>) -> memref<4xf32> {
  // expected-error @below {{recursion that returns a buffer is not supported}}
  %y = func.call @even(%x) : (memref<4xf32>) -> memref<4xf32>
  return %y : memref<4xf32>
}
