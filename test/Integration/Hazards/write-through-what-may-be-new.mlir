// Regions and callees that hand out a buffer of their own on one way, and one of
// somebody else's on the other: what is written through the result reaches the
// other, and each buffer is freed once.
// RUN: pebble-run %s --poison | FileCheck %s
// RUN: pebble-opt %s --pebble-order-operations=objective=peak | pebble-run - --poison | FileCheck %s
// CHECK: ( 1, 2, 3, 4 )
// CHECK-NEXT: ( 5, 6, 7, 8 )
// CHECK-NEXT: ( 9, 10, 11, 0 )

func.func private @new(%v: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}

// A branch.
func.func private @by_branch(%c: i1, %o: memref<4xf32>, %i: index, %v: f32) {
  %p = scf.if %c -> memref<4xf32> {
    %m = func.call @new(%v) : (f32) -> memref<4xf32>
    scf.yield %m : memref<4xf32>
  } else {
    scf.yield %o : memref<4xf32>
  }
  memref.store %v, %p[%i] : memref<4xf32>
  return
}

// A switch inside of a branch.
func.func private @by_switch(%c: i1, %s: index, %o: memref<4xf32>, %i: index, %v: f32) {
  %p = scf.if %c -> memref<4xf32> {
    %m = func.call @new(%v) : (f32) -> memref<4xf32>
    %q = scf.index_switch %s -> memref<4xf32>
    case 0 {
      scf.yield %o : memref<4xf32>
    }
    case 1 {
      scf.yield %m : memref<4xf32>
    }
    default {
      %n = func.call @new(%v) : (f32) -> memref<4xf32>
      scf.yield %n : memref<4xf32>
    }
    scf.yield %q : memref<4xf32>
  } else {
    scf.yield %o : memref<4xf32>
  }
  memref.store %v, %p[%i] : memref<4xf32>
  return
}

// A loop that begins with the argument and goes on with new buffers.
func.func private @by_for(%n: index, %o: memref<4xf32>, %i: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %o) -> memref<4xf32> {
    memref.store %v, %x[%i] : memref<4xf32>
    %m = func.call @new(%v) : (f32) -> memref<4xf32>
    scf.yield %m : memref<4xf32>
  }
  memref.store %v, %r[%i] : memref<4xf32>
  return
}

// One that carries two, which change places and may become one.
func.func private @by_swap(%n: index, %o: memref<4xf32>, %i: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = func.call @new(%v) : (f32) -> memref<4xf32>
  %r:2 = affine.for %k = 0 to 5 iter_args(%x = %a, %y = %o) -> (memref<4xf32>, memref<4xf32>) {
    %even = arith.remui %k, %c1 : index
    %isEven = arith.cmpi eq, %even, %c0 : index
    %z = scf.if %isEven -> memref<4xf32> {
      scf.yield %x : memref<4xf32>
    } else {
      %m = func.call @new(%v) : (f32) -> memref<4xf32>
      scf.yield %m : memref<4xf32>
    }
    affine.yield %y, %z : memref<4xf32>, memref<4xf32>
  }
  memref.store %v, %r#0[%i] : memref<4xf32>
  return
}

// Both results are the new buffer, or one is.
func.func private @by_pair(%c: i1, %o: memref<4xf32>, %i: index, %v: f32) {
  %p:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    %m = func.call @new(%v) : (f32) -> memref<4xf32>
    scf.yield %m, %m : memref<4xf32>, memref<4xf32>
  } else {
    %m = func.call @new(%v) : (f32) -> memref<4xf32>
    scf.yield %m, %o : memref<4xf32>, memref<4xf32>
  }
  memref.store %v, %p#1[%i] : memref<4xf32>
  %x = memref.load %p#0[%i] : memref<4xf32>
  memref.store %x, %p#0[%i] : memref<4xf32>
  return
}

// A while loop.
func.func private @by_while(%n: index, %o: memref<4xf32>, %i: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%k = %c0, %x = %o) : (index, memref<4xf32>) -> (index, memref<4xf32>) {
    %more = arith.cmpi ult, %k, %n : index
    memref.store %v, %x[%i] : memref<4xf32>
    scf.condition(%more) %k, %x : index, memref<4xf32>
  } do {
  ^bb0(%k: index, %x: memref<4xf32>):
    %next = arith.addi %k, %c1 : index
    %m = func.call @new(%v) : (f32) -> memref<4xf32>
    scf.yield %next, %m : index, memref<4xf32>
  }
  memref.store %v, %r#1[%i] : memref<4xf32>
  return
}

// Blocks.
func.func private @by_blocks(%c: i1, %o: memref<4xf32>, %i: index, %v: f32) {
  cf.cond_br %c, ^made, ^join(%o : memref<4xf32>)
^made:
  %m = func.call @new(%v) : (f32) -> memref<4xf32>
  cf.br ^join(%m : memref<4xf32>)
^join(%p: memref<4xf32>):
  memref.store %v, %p[%i] : memref<4xf32>
  return
}

// A callee.
func.func private @pick(%c: i1, %o: memref<4xf32>, %v: f32) -> memref<4xf32> {
  %p = scf.if %c -> memref<4xf32> {
    %m = func.call @new(%v) : (f32) -> memref<4xf32>
    scf.yield %m : memref<4xf32>
  } else {
    scf.yield %o : memref<4xf32>
  }
  return %p : memref<4xf32>
}
func.func private @by_callee(%c: i1, %o: memref<4xf32>, %i: index, %v: f32) {
  %p = func.call @pick(%c, %o, %v) : (i1, memref<4xf32>, f32) -> memref<4xf32>
  memref.store %v, %p[%i] : memref<4xf32>
  return
}

// A global, out of a callee.
memref.global "private" @g : memref<4xf32> = dense<0.0>
func.func private @pick_global(%c: i1, %v: f32) -> memref<4xf32> {
  %p = scf.if %c -> memref<4xf32> {
    %m = func.call @new(%v) : (f32) -> memref<4xf32>
    scf.yield %m : memref<4xf32>
  } else {
    %h = memref.get_global @g : memref<4xf32>
    scf.yield %h : memref<4xf32>
  }
  return %p : memref<4xf32>
}
func.func private @by_global(%c: i1, %o: memref<4xf32>, %i: index, %v: f32) {
  %p = func.call @pick_global(%c, %v) : (i1, f32) -> memref<4xf32>
  memref.store %v, %p[%i] : memref<4xf32>
  %h = memref.get_global @g : memref<4xf32>
  %x = memref.load %h[%i] : memref<4xf32>
  memref.store %x, %o[%i] : memref<4xf32>
  return
}

// A selection of two new buffers, made in a branch.
func.func private @by_select(%c: i1, %o: memref<4xf32>, %i: index, %v: f32) {
  %p = scf.if %c -> memref<4xf32> {
    %m = func.call @new(%v) : (f32) -> memref<4xf32>
    %n = func.call @new(%v) : (f32) -> memref<4xf32>
    %s = arith.select %c, %n, %o : memref<4xf32>
    %t = arith.select %c, %s, %m : memref<4xf32>
    scf.yield %t : memref<4xf32>
  } else {
    scf.yield %o : memref<4xf32>
  }
  memref.store %v, %p[%i] : memref<4xf32>
  return
}

func.func @main(%o: memref<12xf32>) {
  %f0 = arith.constant 0.0 : f32
  linalg.fill ins(%f0 : f32) outs(%o : memref<12xf32>)
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %i4 = arith.constant 4 : index
  %i8 = arith.constant 8 : index
  %yes = arith.constant true
  %no = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f0 : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%f0 : f32) outs(%b : memref<4xf32>)
  linalg.fill ins(%f0 : f32) outs(%d : memref<4xf32>)
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %v4 = arith.constant 4.0 : f32
  %v5 = arith.constant 5.0 : f32
  %v6 = arith.constant 6.0 : f32
  %v7 = arith.constant 7.0 : f32
  %v8 = arith.constant 8.0 : f32
  %v9 = arith.constant 9.0 : f32
  %v10 = arith.constant 10.0 : f32
  %v11 = arith.constant 11.0 : f32
  func.call @by_branch(%yes, %a, %i3, %v1) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_branch(%no, %a, %i0, %v1) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_switch(%yes, %i1, %a, %i3, %v1) : (i1, index, memref<4xf32>, index, f32) -> ()
  func.call @by_switch(%yes, %i2, %a, %i3, %v1) : (i1, index, memref<4xf32>, index, f32) -> ()
  func.call @by_switch(%yes, %i0, %a, %i1, %v2) : (i1, index, memref<4xf32>, index, f32) -> ()
  func.call @by_switch(%no, %i0, %a, %i2, %v3) : (i1, index, memref<4xf32>, index, f32) -> ()
  func.call @by_for(%i0, %a, %i3, %v4) : (index, memref<4xf32>, index, f32) -> ()
  func.call @by_for(%i3, %b, %i0, %v5) : (index, memref<4xf32>, index, f32) -> ()
  func.call @by_swap(%i3, %b, %i1, %v6) : (index, memref<4xf32>, index, f32) -> ()
  func.call @by_pair(%yes, %b, %i3, %v1) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_pair(%no, %b, %i2, %v7) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_while(%i0, %b, %i3, %v8) : (index, memref<4xf32>, index, f32) -> ()
  func.call @by_while(%i3, %d, %i0, %v9) : (index, memref<4xf32>, index, f32) -> ()
  func.call @by_blocks(%yes, %d, %i3, %v1) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_blocks(%no, %d, %i1, %v10) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_callee(%yes, %d, %i3, %v1) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_callee(%no, %d, %i2, %v11) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_global(%yes, %d, %i3, %v1) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_global(%no, %d, %i2, %v11) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_select(%yes, %d, %i3, %v1) : (i1, memref<4xf32>, index, f32) -> ()
  func.call @by_select(%no, %d, %i2, %v11) : (i1, memref<4xf32>, index, f32) -> ()
  %va = vector.load %a[%i0] : memref<4xf32>, vector<4xf32>
  %vb = vector.load %b[%i0] : memref<4xf32>, vector<4xf32>
  %vd = vector.load %d[%i0] : memref<4xf32>, vector<4xf32>
  vector.print %va : vector<4xf32>
  vector.print %vb : vector<4xf32>
  vector.print %vd : vector<4xf32>
  return
}
