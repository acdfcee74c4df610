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

func.func private @somewhere() -> memref<4xf32>
func.func @of_nobody_knows_whom() {
  %a = func.call @somewhere() : () -> memref<4xf32>
  // expected-error @below {{cannot tell who owns the buffer that this frees}}
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

memref.global @numbers : memref<4xf32>
func.func @of_the_program() {
  %a = memref.get_global @numbers : memref<4xf32>
  // expected-error @below {{cannot tell who owns the buffer that this frees}}
  memref.dealloc %a : memref<4xf32>
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
