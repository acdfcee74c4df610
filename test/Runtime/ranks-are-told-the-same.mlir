// What ranks do together is not only in their programs. A rank that was told
// something else than the others would let them wait for ever; two that write
// one file would lose a report.
// REQUIRES: mpi
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: not timeout 60 %mpirun -np 1 pebble-run %s --summary=a.json : -np 1 pebble-run %s 2>&1 | FileCheck %s --check-prefix=SUMMARY
// SUMMARY: error: --summary is not the same for ranks 0 and 1
// RUN: not timeout 60 %mpirun -np 1 pebble-run %s --trace=a.json : -np 1 pebble-run %s --trace=%%r.json 2>&1 | FileCheck %s --check-prefix=TRACE
// TRACE: error: --trace without %r in its name is not the same for ranks 0 and 1
// RUN: not timeout 60 %mpirun -np 1 pebble-run %s --pace : -np 1 pebble-run %s 2>&1 | FileCheck %s --check-prefix=PACE
// PACE: error: --pace is not the same for ranks 0 and 1
// RUN: not timeout 60 %mpirun -np 1 pebble-run %s --repeat=3 : -np 1 pebble-run %s 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: error: --repeat is not the same for ranks 0 and 1
// RUN: not timeout 60 %mpirun -np 1 pebble-run %s --target=host-2 : -np 1 pebble-run %s 2>&1 | FileCheck %s --check-prefix=NET
// NET: error: the topology is not the same for ranks 0 and 1

// RUN: not timeout 60 %mpirun -np 2 pebble-run %s --json=one.json 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: error: --json: ranks 0 and 1 would write one file, one.json: with %r in its name each rank has its own
// RUN: not timeout 60 %mpirun -np 2 pebble-run %s --output-dir=out 2>&1 | FileCheck %s --check-prefix=OUT
// OUT: error: --output-dir: ranks 0 and 1 would write one file, out
// RUN: not timeout 60 %mpirun -np 2 pebble-run %s --summary=of%%r.json 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: --summary=of%r.json: %r has no place in its name
// RUN: not ls %t/a.json %t/one.json %t/out

// The same file may be that of no rank: nothing is lost there.
// RUN: %mpirun -np 2 pebble-run %s --json=/dev/null --pace 2>&1 | FileCheck %s --check-prefix=FREE
// FREE: warning: --pace: messages go as fast as they can, for the machine has no topology

func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %s = pebble.collective all_reduce %x into %e group = 2 stride = 1 ranks = 2 : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  return %s : tensor<16xf32>
}
