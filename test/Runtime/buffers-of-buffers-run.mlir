// Memory may hold buffers. What is found there may be any of those that were put
// there, and is needed as long as somebody looks there: such functions, and who
// calls them, stay as they are and run with the frees of the source.
// RUN: split-file %s %t
// RUN: pebble-run %t/table.mlir --poison --json=%t.json 2>&1 | FileCheck %s --check-prefix=AS
// RUN: pebble-opt %t/table.mlir --pebble-schedule="budget=100%%" -o %t.planned.mlir --remarks-filter-missed=pebble-schedule 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: pebble-run %t.planned.mlir --poison --json=%t.planned.json
// RUN: pebble-opt %t/table.mlir --pebble-order-operations=objective=peak -o %t.ordered.mlir --remarks-filter-missed=pebble-order-operations 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: pebble-run %t.ordered.mlir --poison --json=%t.ordered.json
// RUN: pebble-opt %t/table.mlir --pebble-reuse-operands --pebble-plan-addresses -o %t.placed.mlir
// RUN: pebble-run %t.placed.mlir --poison --json=%t.placed.json
// RUN: pebble-run %t/plain.mlir --poison --json=%t.plain.json
// RUN: grep sha256 %t.plain.json > %t.sum
// RUN: grep sha256 %t.json | diff - %t.sum
// RUN: grep sha256 %t.planned.json | diff - %t.sum
// RUN: grep sha256 %t.ordered.json | diff - %t.sum
// RUN: grep sha256 %t.placed.json | diff - %t.sum
// RUN: FileCheck %s --check-prefix=PLANNED < %t.planned.mlir

// AS: warning: size of memref<2xmemref<16xf32>> is not known, for that of its elements is not; no memory is predicted
// STAYS: remark: {{.*}}'look' stays as it is: buffers lie in memory, where nobody knows who needs them how long
// STAYS: remark: {{.*}}'main' stays as it is: buffers lie in memory
// What has nothing to do with them is planned.
// PLANNED: func.func @apart{{.*}}pebble.result
// PLANNED: func.func @main
// PLANNED-NOT: pebble.result

// RUN: pebble-run %t/owned.mlir --poison --json=%t.owned.json
// RUN: pebble-run %t/owned-plain.mlir --poison --json=%t.owned.plain.json
// RUN: grep sha256 %t.owned.json > %t.sum && grep sha256 %t.owned.plain.json | diff - %t.sum

//--- table.mlir
func.func @apart(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = math.exp %x : tensor<16xf32>
  %z = math.sin %y : tensor<16xf32>
  return %z : tensor<16xf32>
}
func.func private @look(%tab: memref<2xmemref<16xf32>>, %i: index) -> memref<16xf32> {
  %p = memref.load %tab[%i] : memref<2xmemref<16xf32>>
  return %p : memref<16xf32>
}
func.func @main(%a: memref<16xf32>, %b: memref<16xf32>, %k: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 2.5 : f32
  %tab = memref.alloc() : memref<2xmemref<16xf32>>
  memref.store %a, %tab[%c0] : memref<2xmemref<16xf32>>
  memref.store %b, %tab[%c1] : memref<2xmemref<16xf32>>
  %i = arith.select %k, %c0, %c1 : index
  %p = call @look(%tab, %i) : (memref<2xmemref<16xf32>>, index) -> memref<16xf32>
  %t = memref.alloc() : memref<16xf32>
  linalg.exp ins(%p : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.store %f, %a[%c1] : memref<16xf32>
  linalg.add ins(%p, %t : memref<16xf32>, memref<16xf32>) outs(%p : memref<16xf32>)
  %v = memref.load %b[%c1] : memref<16xf32>
  memref.dealloc %t : memref<16xf32>
  memref.dealloc %tab : memref<2xmemref<16xf32>>
  return %v : f32
}

//--- plain.mlir
func.func @main(%a: memref<16xf32>, %b: memref<16xf32>, %k: i1) -> f32 {
  %c1 = arith.constant 1 : index
  %f = arith.constant 2.5 : f32
  %p = arith.select %k, %a, %b : memref<16xf32>
  %t = memref.alloc() : memref<16xf32>
  linalg.exp ins(%p : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.store %f, %a[%c1] : memref<16xf32>
  linalg.add ins(%p, %t : memref<16xf32>, memref<16xf32>) outs(%p : memref<16xf32>)
  %v = memref.load %b[%c1] : memref<16xf32>
  memref.dealloc %t : memref<16xf32>
  return %v : f32
}

//--- owned.mlir
func.func @main(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %tab = memref.alloc() : memref<3xmemref<8xf32>>
  scf.for %i = %c0 to %c3 step %c1 {
    %n = memref.alloc() : memref<8xf32>
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    linalg.fill ins(%f : f32) outs(%n : memref<8xf32>)
    memref.store %n, %tab[%i] : memref<3xmemref<8xf32>>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %p = memref.load %tab[%i] : memref<3xmemref<8xf32>>
    linalg.add ins(%p, %a : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
    memref.dealloc %p : memref<8xf32>
  }
  memref.dealloc %tab : memref<3xmemref<8xf32>>
  return
}

//--- owned-plain.mlir
func.func @main(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %n = memref.alloc() : memref<8xf32>
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    linalg.fill ins(%f : f32) outs(%n : memref<8xf32>)
    linalg.add ins(%n, %a : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
    memref.dealloc %n : memref<8xf32>
  }
  return
}
