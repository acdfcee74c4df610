// Runs with poisoned memory and ends without a leak or a double free: pebble-run
// fails on either.
// RUN: pebble-run %s --poison | FileCheck %s
func.func @main() {
  call @loop() : () -> ()
  call @swap() : () -> ()
  call @branch() : () -> ()
  call @while() : () -> ()
  call @twice() : () -> ()
  call @donated() : () -> ()
  call @fresh() : () -> ()
  call @early() : () -> ()
  call @unknown_trip() : () -> ()
  call @views() : () -> ()
  return
}

// CHECK: 7
func.func @loop() {
  %seven = arith.constant 7.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%seven : f32) outs(%a : memref<4xf32>)
  %r = scf.for %k = %c0 to %c5 step %c1 iter_args(%x = %a) -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %x, %new : memref<4xf32> to memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  %v = memref.load %r[%c1] : memref<4xf32>
  vector.print %v : f32
  return
}

// Two fresh buffers change places in every iteration: 1 and 2, then 2 and 1.
// CHECK-NEXT: 2
// CHECK-NEXT: 1
func.func @swap() {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<4xf32>)
  %r:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %x, %new : memref<4xf32> to memref<4xf32>
    scf.yield %y, %new : memref<4xf32>, memref<4xf32>
  }
  %v = memref.load %r#0[%c1] : memref<4xf32>
  vector.print %v : f32
  %w = memref.load %r#1[%c1] : memref<4xf32>
  vector.print %w : f32
  return
}

// CHECK-NEXT: 5
// CHECK-NEXT: 5
func.func @branch() {
  %five = arith.constant 5.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%five : f32) outs(%a : memref<4xf32>)
  call @choose(%a, %true) : (memref<4xf32>, i1) -> ()
  call @choose(%a, %false) : (memref<4xf32>, i1) -> ()
  return
}
func.func private @choose(%a: memref<4xf32>, %c: i1) {
  %c2 = arith.constant 2 : index
  %r = scf.if %c -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    memref.copy %a, %new : memref<4xf32> to memref<4xf32>
    scf.yield %new : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  %v = memref.load %r[%c2] : memref<4xf32>
  vector.print %v : f32
  return
}

// Doubled until it is at least 100.
// CHECK-NEXT: 128
func.func @while() {
  %one = arith.constant 1.0 : f32
  %hundred = arith.constant 100.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<4xf32>)
  %r = scf.while (%x = %a) : (memref<4xf32>) -> memref<4xf32> {
    %v = memref.load %x[%c0] : memref<4xf32>
    %c = arith.cmpf olt, %v, %hundred : f32
    scf.condition(%c) %x : memref<4xf32>
  } do {
  ^bb0(%y: memref<4xf32>):
    %new = memref.alloc() : memref<4xf32>
    linalg.add ins(%y, %y : memref<4xf32>, memref<4xf32>) outs(%new : memref<4xf32>)
    scf.yield %new : memref<4xf32>
  }
  %v = memref.load %r[%c0] : memref<4xf32>
  vector.print %v : f32
  return
}

// CHECK-NEXT: 3
func.func @twice() {
  %c0 = arith.constant 0 : index
  %a:2 = call @two_names() : () -> (memref<4xf32>, memref<4xf32>)
  %v = memref.load %a#1[%c0] : memref<4xf32>
  vector.print %v : f32
  return
}
func.func private @two_names() -> (memref<4xf32>, memref<4xf32>) {
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%three : f32) outs(%a : memref<4xf32>)
  return %a, %a : memref<4xf32>, memref<4xf32>
}

// CHECK-NEXT: 4
// CHECK-NEXT: 4
func.func @donated() {
  %four = arith.constant 4.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%four : f32) outs(%a : memref<4xf32>)
  %b = call @take(%a) : (memref<4xf32>) -> memref<4xf32>
  %v = memref.load %b[%c0] : memref<4xf32>
  vector.print %v : f32
  %w = memref.load %a[%c0] : memref<4xf32>
  vector.print %w : f32
  return
}
func.func private @take(%a: memref<4xf32> {pebble.donated}) -> memref<4xf32> {
  return %a : memref<4xf32>
}

// CHECK-NEXT: 6
func.func @fresh() {
  %c0 = arith.constant 0 : index
  %unused = call @make() : () -> memref<4xf32>
  %a = call @make() : () -> memref<4xf32>
  %v = memref.load %a[%c0] : memref<4xf32>
  vector.print %v : f32
  return
}
func.func private @make() -> memref<4xf32> {
  %six = arith.constant 6.0 : f32
  %a = memref.alloca() : memref<4xf32>
  linalg.fill ins(%six : f32) outs(%a : memref<4xf32>)
  return %a : memref<4xf32>
}

// Unstructured control flow.
// CHECK-NEXT: 9
func.func @early() {
  %nine = arith.constant 9.0 : f32
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%nine : f32) outs(%a : memref<4xf32>)
  cf.cond_br %true, ^print, ^end
^print:
  %v = memref.load %a[%c0] : memref<4xf32>
  vector.print %v : f32
  cf.br ^end
^end:
  return
}

// A loop that runs no iteration hands back what it was given.
// CHECK-NEXT: 8
func.func @unknown_trip() {
  %eight = arith.constant 8.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%eight : f32) outs(%a : memref<4xf32>)
  %r = scf.for %k = %c0 to %c0 step %c1 iter_args(%x = %a) -> memref<4xf32> {
    %new = memref.alloc() : memref<4xf32>
    linalg.fill ins(%eight : f32) outs(%new : memref<4xf32>)
    scf.yield %new : memref<4xf32>
  }
  %v = memref.load %r[%c1] : memref<4xf32>
  vector.print %v : f32
  return
}

// A buffer lives as long as a view of a view of it.
// CHECK-NEXT: 2
func.func @views() {
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%two : f32) outs(%a : memref<4x4xf32>)
  %row = memref.subview %a[2, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: 8>>
  %cast = memref.cast %row : memref<4xf32, strided<[1], offset: 8>> to memref<?xf32, strided<[?], offset: ?>>
  %v = memref.load %cast[%c0] : memref<?xf32, strided<[?], offset: ?>>
  vector.print %v : f32
  return
}
