// What starts early in the rounds of a loop gives what it would at once; each rank
// takes and sends what was predicted.
// REQUIRES: mpi
// RUN: rm -rf %t && mkdir %t
// RUN: pebble-opt %S/../Transforms/collectives-in-loops-start-early.mlir --pebble-schedule="budget=128KiB objective=time" -o %t/early.mlir
// RUN: grep -c collective_start %t/early.mlir | grep -x 2
// RUN: %mpirun -np 2 pebble-run %S/../Transforms/collectives-in-loops-start-early.mlir --json=%t/once.%%r.json --summary=%t/once.json
// RUN: %mpirun -np 2 pebble-run %t/early.mlir --json=%t/early.%%r.json --summary=%t/early.json
// RUN: FileCheck %s --input-file=%t/early.json
// CHECK: "as_predicted": true
// RUN: grep sha256 %t/once.0.json > %t/once.txt && grep sha256 %t/early.0.json | diff %t/once.txt -
// RUN: grep sha256 %t/once.1.json > %t/once.txt && grep sha256 %t/early.1.json | diff %t/once.txt -
