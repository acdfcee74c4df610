// A branch, a loop or a callee that may hand out a buffer of its own may hand
// out another one: what is predicted is what it takes if it makes one, and the
// report says that this is a bound. Where each way makes one it is exact.

// RUN: split-file %s %t
// RUN: pebble-run %t/branch.mlir --json=%t/branch.json
// RUN: FileCheck %s --check-prefix=BOUND --input-file=%t/branch.json
// RUN: pebble-run %t/swap.mlir --json=%t/swap.json
// RUN: FileCheck %s --check-prefix=BOUND --input-file=%t/swap.json
// RUN: pebble-run %t/kept.mlir --json=%t/kept.json
// RUN: FileCheck %s --check-prefix=BOUND --input-file=%t/kept.json
// RUN: pebble-run %t/search.mlir --json=%t/search.json
// RUN: FileCheck %s --check-prefix=BOUND --input-file=%t/search.json
// RUN: pebble-run %t/blocks.mlir --json=%t/blocks.json
// RUN: FileCheck %s --check-prefix=BOUND --input-file=%t/blocks.json
// RUN: pebble-run %t/either.mlir --json=%t/either.json
// RUN: FileCheck %s --check-prefix=BOUND --input-file=%t/either.json
// RUN: pebble-run %t/given.mlir --json=%t/given.json
// RUN: FileCheck %s --check-prefix=BOUND --input-file=%t/given.json
// RUN: pebble-run %t/twice.mlir --json=%t/twice.json
// RUN: FileCheck %s --check-prefix=TWICE --input-file=%t/twice.json
// RUN: %python %S/Inputs/bounded.py %t/given.json %t/branch.json %t/swap.json %t/kept.json %t/search.json %t/blocks.json %t/either.json
// RUN: pebble-run %t/made.mlir --json=%t/made.json
// RUN: FileCheck %s --check-prefix=MADE --input-file=%t/made.json

// BOUND: "predicted_is_bound": true
// MADE: "peak_bytes"
// MADE-NEXT: "default": 192
// MADE: "predicted_peak_bytes"
// MADE-NEXT: "default": 192
// MADE-NOT: predicted_is

// TWICE: "peak_bytes"
// TWICE-NEXT: "default": 320
// TWICE: "predicted_peak_bytes"
// TWICE-NEXT: "default": 320

//--- branch.mlir
// The argument goes through the branch, and is there beside what is made later.
func.func @main(%x: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %never = arith.constant 7.0 : f32
  %v = memref.load %x[%c0] : memref<16xf32>
  %c = arith.cmpf oeq, %v, %never : f32
  %p = scf.if %c -> (memref<16xf32>) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %x : memref<16xf32>
  }
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<16xf32>)
  linalg.add ins(%b, %p : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
  return
}
//--- swap.mlir
// A loop carries two buffers that change places; one is new in each turn.
func.func @main(%x: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %x, %q = %a) -> (memref<16xf32>, memref<16xf32>) {
    %n = memref.alloc() : memref<16xf32>
    linalg.add ins(%a, %q : memref<16xf32>, memref<16xf32>) outs(%n : memref<16xf32>)
    scf.yield %n, %p : memref<16xf32>, memref<16xf32>
  }
  return
}
//--- kept.mlir
// What the loop began with is needed after it, so that from the second turn on
// there are that, the buffer of the turn before, and that of this one.
func.func @main() {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<16xf32>) {
    %n = memref.alloc() : memref<16xf32>
    linalg.add ins(%p, %p : memref<16xf32>, memref<16xf32>) outs(%n : memref<16xf32>)
    scf.yield %n : memref<16xf32>
  }
  linalg.add ins(%a, %r : memref<16xf32>, memref<16xf32>) outs(%a : memref<16xf32>)
  return
}
//--- search.mlir
// Whether the loop made what comes out of it is up to how often it ran.
func.func @main(%x: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.while (%i = %c0, %p = %x) : (index, memref<16xf32>) -> (index, memref<16xf32>) {
    %more = arith.cmpi ult, %i, %c2 : index
    scf.condition(%more) %i, %p : index, memref<16xf32>
  } do {
  ^bb0(%i: index, %p: memref<16xf32>):
    %n = memref.alloc() : memref<16xf32>
    linalg.add ins(%p, %p : memref<16xf32>, memref<16xf32>) outs(%n : memref<16xf32>)
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %n : index, memref<16xf32>
  }
  %b = memref.alloc() : memref<16xf32>
  linalg.add ins(%x, %r#1 : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%b, %x : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  return
}
//--- blocks.mlir
// A callee of several blocks, called in a loop, with memory of its own.
func.func private @work(%x: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<1024xf32>)
  %v = memref.load %x[%c0] : memref<16xf32>
  %c = arith.cmpf olt, %v, %one : f32
  cf.cond_br %c, ^then, ^done
^then:
  %b = memref.alloc() : memref<1024xf32>
  linalg.add ins(%a, %a : memref<1024xf32>, memref<1024xf32>) outs(%b : memref<1024xf32>)
  %w = memref.load %b[%c0] : memref<1024xf32>
  memref.store %w, %x[%c0] : memref<16xf32>
  cf.br ^done
^done:
  return
}
func.func @main(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @work(%x) : (memref<16xf32>) -> ()
  }
  return
}
//--- either.mlir
// A callee hands out what it is given, or what it makes.
func.func private @pick(%x: memref<16xf32>) -> memref<16xf32> {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<16xf32>
  %c = arith.cmpf olt, %v, %one : f32
  cf.cond_br %c, ^new, ^old
^new:
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<16xf32>)
  cf.br ^done(%a : memref<16xf32>)
^old:
  cf.br ^done(%x : memref<16xf32>)
^done(%r: memref<16xf32>):
  return %r : memref<16xf32>
}
func.func @main(%x: memref<16xf32>) {
  %p = call @pick(%x) : (memref<16xf32>) -> memref<16xf32>
  %q = call @pick(%p) : (memref<16xf32>) -> memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.add ins(%p, %q : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%b, %x : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  return
}
//--- made.mlir
func.func @main(%x: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<16xf32>
  %c = arith.cmpf olt, %v, %one : f32
  %p = scf.if %c -> (memref<16xf32>) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  } else {
    %a = memref.alloc() : memref<16xf32>
    linalg.copy ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  }
  %b = memref.alloc() : memref<16xf32>
  linalg.add ins(%p, %x : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%b, %p : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  return
}
//--- given.mlir
// The loop frees what it is given before it makes another.
func.func @main(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%m : memref<16xf32>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %m) -> (memref<16xf32>) {
    %v = memref.load %a[%c0] : memref<16xf32>
    %w = arith.addf %v, %one : f32
    %b = memref.alloc() : memref<16xf32>
    linalg.fill ins(%w : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  %v = memref.load %r[%c0] : memref<16xf32>
  memref.store %v, %x[%c0] : memref<16xf32>
  return
}
//--- twice.mlir
// What the loop is given under two names it cannot free: it is there beside what
// one iteration has made and what the next one makes.
func.func @main(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%m : memref<16xf32>)
  %n = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%n : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %m, %b = %m) -> (memref<16xf32>, memref<16xf32>) {
    %t = memref.alloc() : memref<16xf32>
    linalg.fill ins(%one : f32) outs(%t : memref<16xf32>)
    %v = memref.load %a[%c0] : memref<16xf32>
    memref.store %v, %t[%c0] : memref<16xf32>
    scf.yield %t, %n : memref<16xf32>, memref<16xf32>
  }
  %v = memref.load %r#1[%c0] : memref<16xf32>
  memref.store %v, %x[%c0] : memref<16xf32>
  return
}
