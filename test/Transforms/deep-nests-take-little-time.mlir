// What blocks inside of ops take is found once, not once for each block around
// them: with 400 levels that would be minutes.

// RUN: %python %S/Inputs/nest.py 400 > %t.mlir
// RUN: timeout 60 pebble-opt %t.mlir --pebble-order-operations -o - | FileCheck %s

// CHECK-COUNT-400: scf.if
// CHECK: memref.store
