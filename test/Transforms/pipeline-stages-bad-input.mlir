// What is no pipeline is told at its place.
// RUN: split-file %s %t
// RUN: not pebble-opt %t/none.mlir --pebble-pipeline-stages 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: none.mlir:1:1: error: no call has a 'pebble.stage', or none of them has its adjoint
// RUN: not pebble-opt %t/good.mlir --pebble-pipeline-stages=ranks=3 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: good.mlir:{{.*}}: error: 3 ranks for 2 stages: each rank needs one
// RUN: not pebble-opt %t/good.mlir --pebble-pipeline-stages="ranks=2 rank=2" 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: good.mlir:{{.*}}: error: there is no rank 2 among 2
// A rank that plans for itself must plan as all others do.
// RUN: not pebble-opt %t/good.mlir --pebble-pipeline-stages="rank=1 time-limit-ms=500" 2>&1 | FileCheck %s --check-prefix=CLOCK
// CLOCK: error: 'time-limit-ms' and 'rank' do not go together: where a clock ends the search, each rank may get another plan; 'rank-files' writes
// RUN: not pebble-opt %t/good.mlir --pebble-pipeline-stages=rank-files=%t/p.mlir 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: 'rank-files' takes a name with %r, which is the rank, got {{.*}}p.mlir
// RUN: not pebble-opt %t/good.mlir --pebble-pipeline-stages=rank-files=%t/nowhere/%%r.mlir 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: cannot write the program of rank 0 to '{{.*}}nowhere/0.mlir': {{.*}}
// RUN: not pebble-opt %t/good.mlir --pebble-pipeline-stages=micro-batches=0 2>&1 | FileCheck %s --check-prefix=BATCHES
// BATCHES: 'micro-batches' takes a whole number from 1 to
// RUN: not pebble-opt %t/good.mlir --pebble-pipeline-stages=solver=binomial 2>&1 | FileCheck %s --check-prefix=SOLVER
// SOLVER: error: there is no solver 'binomial' for pipelines; there are gpipe,
// RUN: not pebble-opt %t/good.mlir --pebble-pipeline-stages="budget=100 micro-batches=2" 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: error: no schedule of the pipeline keeps to the budget of 100 bytes for each rank
// RUN: not pebble-opt %t/good.mlir --pebble-pipeline-stages="budget=50%%" 2>&1 | FileCheck %s --check-prefix=PERCENT
// PERCENT: the budget of a rank is a number of bytes
// RUN: sed 's/pebble.stage = 1/pebble.stage = 2/' %t/good.mlir > %t/gap.mlir
// RUN: not pebble-opt %t/gap.mlir --pebble-pipeline-stages 2>&1 | FileCheck %s --check-prefix=GAP
// GAP: gap.mlir:{{.*}}: error: stage 2 of 2: stages are numbered from 0 without a gap
// RUN: sed 's/pebble.stage = 1/pebble.stage = 0/' %t/good.mlir > %t/twice.mlir
// RUN: not pebble-opt %t/twice.mlir --pebble-pipeline-stages 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: twice.mlir:{{.*}}: error: a second call is stage 0
// RUN: sed 's/ {pebble.stage = 1 : i64}//' %t/good.mlir > %t/some.mlir
// RUN: not pebble-opt %t/some.mlir --pebble-pipeline-stages 2>&1 | FileCheck %s --check-prefix=SOME
// SOME: some.mlir:{{.*}}: error: this call has an adjoint, and is no 'pebble.stage' as others are
// RUN: sed 's/stage = 0/stage = 9/; s/stage = 1/stage = 0/; s/stage = 9/stage = 1/' %t/good.mlir > %t/back.mlir
// RUN: not pebble-opt %t/back.mlir --pebble-pipeline-stages 2>&1 | FileCheck %s --check-prefix=BACK
// BACK: back.mlir:{{.*}}: error: stage 0 needs what only stage 1 has made, which runs no earlier
// RUN: not pebble-opt %t/effects.mlir --pebble-pipeline-stages 2>&1 | FileCheck %s --check-prefix=EFFECTS
// EFFECTS: effects.mlir:{{.*}}: error: no stage of a pipeline:
// RUN: not pebble-opt %t/good.mlir --pebble-pipeline-stages=bandwidth=-1 2>&1 | FileCheck %s --check-prefix=BANDWIDTH
// BANDWIDTH: 'bandwidth' takes a number from 0
// RUN: sed 's/{pebble.stage = 1 : i64}/{pebble.stage = "x"}/' %t/good.mlir > %t/number.mlir
// RUN: not pebble-opt %t/number.mlir 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: [D57] 'pebble.stage' must be a number from 0 (i64)
// RUN: sed 's/pebble.micro_batch/pebble.micro_batch = 3/' %t/good.mlir > %t/unit.mlir
// RUN: not pebble-opt %t/unit.mlir 2>&1 | FileCheck %s --check-prefix=UNIT
// UNIT: [D58] 'pebble.micro_batch' on argument 0 must be a unit attribute
// RUN: sed 's/pebble.micro_batch/pebble.micro_batches/' %t/good.mlir > %t/misspelt.mlir
// RUN: not pebble-opt %t/misspelt.mlir 2>&1 | FileCheck %s --check-prefix=MISSPELT
// MISSPELT: did you mean 'pebble.micro_batch'?

// RUN: cat %t/good.mlir %t/caller.mlir > %t/called.mlir
// RUN: not pebble-opt %t/called.mlir --pebble-pipeline-stages 2>&1 | FileCheck %s --check-prefix=CALLED
// CALLED: called.mlir:{{.*}}: error: this names '@step', which becomes the program of all micro-batches or of a rank
// RUN: not pebble-opt %t/empty.mlir --pebble-pipeline-stages 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: empty.mlir:11:1: error: argument 1 of each micro-batch has no elements
// RUN: sed 's/0xf32> {pebble.micro_batch}/2xsi32>/; s/0xf32/2xsi32/g' %t/empty.mlir > %t/signed.mlir
// RUN: not pebble-opt %t/signed.mlir --pebble-pipeline-stages 2>&1 | FileCheck %s --check-prefix=SIGNED
// SIGNED: signed.mlir:11:1: error: result 1 is added up, and no operation adds 'si32'

// A good one is planned, and the cost is that of the published schedule.
// RUN: pebble-opt %t/good.mlir --pebble-pipeline-stages="micro-batches=3 rank=1" -o %t/own.mlir
// RUN: FileCheck %s --check-prefix=GOOD < %t/own.mlir
// One run writes the same programs, whatever limit it has.
// RUN: pebble-opt %t/good.mlir --pebble-pipeline-stages="micro-batches=3 time-limit-ms=60000 rank-files=%t/of.%%r.mlir" -o %t/all.mlir
// RUN: diff %t/own.mlir %t/of.1.mlir
// RUN: pebble-opt %t/good.mlir --pebble-pipeline-stages="micro-batches=3 rank=0" | diff %t/of.0.mlir -
// GOOD-LABEL: func.func @step(
// GOOD-SAME: -> tensor<3x8xf32>
// GOOD-SAME: bound = 672 : i64, cost = 672 : i64
// GOOD: mpi.init
// GOOD: mpi.irecv
// GOOD: mpi.isend
// GOOD: mpi.wait
// GOOD: mpi.finalize

//--- none.mlir
module {}
//--- good.mlir
func.func private @half(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {pebble.adjoint = {backward = @half_back, results = 1 : i64}} {
  %y = math.sin %x : tensor<8xf32>
  %c = math.cos %x : tensor<8xf32>
  return %y, %c : tensor<8xf32>, tensor<8xf32>
}
func.func private @half_back(%c: tensor<8xf32>, %dy: tensor<8xf32>) -> tensor<8xf32> {
  %dx = arith.mulf %c, %dy : tensor<8xf32>
  return %dx : tensor<8xf32>
}
func.func @step(%x: tensor<8xf32> {pebble.micro_batch}) -> (tensor<8xf32>, tensor<8xf32> {pebble.micro_batch}) {
  %y, %c = call @half(%x) {pebble.stage = 0 : i64} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %z, %d = call @half(%y) {pebble.stage = 1 : i64} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %dy = call @half_back(%d, %one) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %dx = call @half_back(%c, %dy) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %dx, %z : tensor<8xf32>, tensor<8xf32>
}
//--- empty.mlir
func.func private @half(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {pebble.adjoint = {backward = @half_back, results = 1 : i64}} {
  %y = math.sin %x : tensor<8xf32>
  %c = math.cos %x : tensor<8xf32>
  return %y, %c : tensor<8xf32>, tensor<8xf32>
}
func.func private @half_back(%c: tensor<8xf32>, %dy: tensor<8xf32>) -> tensor<8xf32> {
  %dx = arith.mulf %c, %dy : tensor<8xf32>
  return %dx : tensor<8xf32>
}
func.func @step(%x: tensor<8xf32> {pebble.micro_batch}, %n: tensor<0xf32> {pebble.micro_batch})
    -> (tensor<8xf32>, tensor<0xf32>) {
  %y, %c = call @half(%x) {pebble.stage = 0 : i64} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %dx = call @half_back(%c, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %dx, %n : tensor<8xf32>, tensor<0xf32>
}
//--- caller.mlir
func.func @caller(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y, %z = call @step(%x) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %y : tensor<8xf32>
}
//--- effects.mlir
memref.global "private" @count : memref<f32> = dense<0.0>
func.func private @half(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    attributes {pebble.adjoint = {backward = @half_back, results = 1 : i64}} {
  %m = memref.get_global @count : memref<f32>
  %v = memref.load %m[] : memref<f32>
  memref.store %v, %m[] : memref<f32>
  %y = math.sin %x : tensor<8xf32>
  %c = math.cos %x : tensor<8xf32>
  return %y, %c : tensor<8xf32>, tensor<8xf32>
}
func.func private @half_back(%c: tensor<8xf32>, %dy: tensor<8xf32>) -> tensor<8xf32> {
  %dx = arith.mulf %c, %dy : tensor<8xf32>
  return %dx : tensor<8xf32>
}
func.func @step(%x: tensor<8xf32> {pebble.micro_batch}) -> tensor<8xf32> {
  %y, %c = call @half(%x) {pebble.stage = 0 : i64} : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  %dx = call @half_back(%c, %y) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %dx : tensor<8xf32>
}
