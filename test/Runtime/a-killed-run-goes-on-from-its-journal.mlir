// What pebble-run says of a journal, and what it leaves. Runs that are killed at random moments are in
// test/Integration/Resume; here a run ends by an error of its own after 25 of 40 iterations.

// RUN: rm -rf %t && mkdir -p %t/disk
// RUN: pebble-opt %s --pebble-snapshot-loops=every=10 -o %t/safe.mlir
// RUN: %python -c "import numpy; numpy.save('%t/bad.npy', numpy.int64(25)); numpy.save('%t/good.npy', numpy.int64(99))"
// REQUIRES: numpy

// Snapshots change nothing; they are as many as predicted, and nothing is left.
// RUN: pebble-run %s --input=1:%t/good.npy --json=%t/plain.json
// RUN: pebble-run %t/safe.mlir --input=1:%t/good.npy --json=%t/none.json --quiet
// RUN: pebble-run %t/safe.mlir --input=1:%t/good.npy --slow-dir=%t/disk --json=%t/whole.json 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: pebble-run: @main: {{.*}}; nothing moved; 3 snapshots, 792 B as predicted;
// RUN: rmdir %t/disk && mkdir %t/disk
// RUN: grep sha256 %t/plain.json > %t/sum && grep sha256 %t/none.json | diff %t/sum - && grep sha256 %t/whole.json | diff %t/sum -
// RUN: FileCheck %s --check-prefix=NONE < %t/none.json
// NONE-NOT: snapshots

// RUN: not pebble-run %t/safe.mlir --input=1:%t/bad.npy --slow-dir=%t/disk 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: it is enough
// RUN: ls %t/disk/pebble-journal | FileCheck %s --check-prefix=LEFT
// LEFT: snapshot-000000000001
// LEFT-NEXT: snapshot-000000000002
// LEFT-NOT: {{.}}

// The run begins at iteration 20, and ends as before.
// RUN: not pebble-run %t/safe.mlir --input=1:%t/bad.npy --slow-dir=%t/disk --resume 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: pebble runtime: note: going on from {{.*}}/disk/pebble-journal/snapshot-000000000002
// AGAIN: it is enough

// Other inputs, another seed and another program are refused; so is a run that would begin anew.
// RUN: not pebble-run %t/safe.mlir --input=1:%t/good.npy --slow-dir=%t/disk --resume 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not pebble-run %t/safe.mlir --input=1:%t/bad.npy --seed=3 --slow-dir=%t/disk --resume 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/1.25/1.5/' %t/safe.mlir > %t/other.mlir
// RUN: not pebble-run %t/other.mlir --input=1:%t/bad.npy --slow-dir=%t/disk --resume 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: --slow-dir: {{.*}}/disk/pebble-journal is the journal of another program, or of other inputs: name another directory, or remove it
// RUN: not pebble-run %t/safe.mlir --input=1:%t/bad.npy --slow-dir=%t/disk 2>&1 | FileCheck %s --check-prefix=ANEW
// ANEW: error: --slow-dir: {{.*}}/disk/pebble-journal is the journal of a run that has not ended: resume it, or remove it

// Where the condition comes from elsewhere, the same program goes on to its end, from the snapshot before where the
// newest is cut short or flipped.
// RUN: rm -rf %t/disk/pebble-journal
// RUN: cp %t/bad.npy %t/now.npy
// RUN: not pebble-run %t/safe.mlir --input=1:%t/now.npy --slow-dir=%t/disk --quiet
// RUN: %python -c "f = open('%t/disk/pebble-journal/snapshot-000000000002', 'r+b'); f.truncate(300)"
// RUN: not pebble-run %t/safe.mlir --input=1:%t/now.npy --slow-dir=%t/disk --resume 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: note: skipping {{.*}}/snapshot-000000000002: it ends after 300 bytes
// SHORT-NEXT: note: going on from {{.*}}/snapshot-000000000001

// RUN: not pebble-run %s --slow-dir=%t/disk --resume 2>&1 | FileCheck %s --check-prefix=POINTS
// POINTS: error: --resume: the program takes no snapshots; pebble-opt --pebble-snapshot-loops=every=N has its loops take them
// RUN: not pebble-run %t/safe.mlir --resume 2>&1 | FileCheck %s --check-prefix=WHERE
// WHERE: error: --resume needs --slow-dir, where the journal is
// RUN: mkdir %t/more && not pebble-run %t/safe.mlir --input=1:%t/good.npy --slow-dir=%t/more --repeat=2 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: error: --repeat: a program that takes snapshots runs once; leave --slow-dir out
// RUN: not pebble-run %s --mtbf=100 2>&1 | FileCheck %s --check-prefix=MTBF
// MTBF: error: --mtbf is for a program that takes snapshots, and needs --slow-dir
// RUN: not pebble-run %t/safe.mlir --slow-dir=%t/more --mtbf=-1 2>&1 | FileCheck %s --check-prefix=POSITIVE
// POSITIVE: error: --mtbf takes a number of seconds over 0
// RUN: pebble-run %t/safe.mlir --input=1:%t/good.npy --slow-dir=%t/more --mtbf=3600 2>&1 | FileCheck %s --check-prefix=ADVICE
// ADVICE: pebble-run: loop 0: {{.*}} for an iteration, {{.*}} for a snapshot; with a failure every {{.*}} every={{[0-9]+}} costs the least time (Young: one in {{.*}}, Daly: one in {{.*}})
// RUN: not pebble-run %s --threads=4 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: --threads=4: code for more than one thread is not made yet
// RUN: pebble-run %s --threads=1 --input=1:%t/good.npy --quiet

func.func @main(%x: tensor<64xf32>, %end: i64) -> tensor<64xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 40 : i64
  %k = arith.constant dense<1.25> : tensor<64xf32>
  %y:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %sum = %c0) -> (tensor<64xf32>, i64) : i64 {
    %isGood = arith.cmpi slt, %i, %end : i64
    cf.assert %isGood, "it is enough"
    %b = arith.mulf %a, %k : tensor<64xf32>
    %c = math.sin %b : tensor<64xf32>
    %more = arith.addi %sum, %i : i64
    scf.yield %c, %more : tensor<64xf32>, i64
  }
  return %y#0 : tensor<64xf32>
}
