// RUN: not pebble-opt %s --pebble-checkpoint-loops 2>&1 | FileCheck %s --check-prefix=UNSAID
// UNSAID: [[#@LINE+21]]:13: error: say how many states of this loop may be kept: 'slots=N', or 'schedule=store-all'
// RUN: not pebble-opt %s --pebble-checkpoint-loops=slots=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: 'slots' takes a whole number from 1 to 1048576, got 0
// RUN: not pebble-opt %s --pebble-checkpoint-loops=slots=2000000 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: 'slots' takes a whole number from 1 to 1048576, got 2000000
// RUN: not pebble-opt %s --pebble-checkpoint-loops=slots=two 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: for the --slots option: 'two' is not a whole number{{$}}
// What says nothing of a loop is looked at where there is none.
// RUN: echo 'module {}' | not pebble-opt --pebble-checkpoint-loops="slots=2 period=-1" 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: 'period' takes a whole number from 1 to 9223372036854775807, got -1
// RUN: not pebble-opt %s --pebble-checkpoint-loops="slots=2 schedule=store-all" 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: [[#@LINE+10]]:13: error: 'schedule=store-all' keeps every state, so that 'slots' has nothing to say
// RUN: not pebble-opt %s --pebble-materialize-storage 2>&1 | FileCheck %s --check-prefix=STORAGE
// STORAGE: [[#@LINE+8]]:13: error: nobody has decided yet which states of this loop are kept: run pebble-checkpoint-loops first
// RUN: not pebble-opt %s --pebble-print-footprint 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT: [[#@LINE+6]]:13: error: the memory of this loop is not known before pebble-checkpoint-loops has run
// A negative trip count that is not known before the program runs.
// RUN: pebble-opt %s --pebble-checkpoint-loops=slots=2 -mlir-print-debuginfo -o %t.mlir
// RUN: not pebble-run %t.mlir --seed=1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: {{.*}}checkpoint-loops-options.mlir:[[#@LINE+2]]:13: assertion failed: the trip count of the loop is negative
func.func @main(%n: index {pebble.range = [-5, -2]}, %x: f32) -> (f32, f32) {
  %y, %dx = pebble.adjoint_loop %n states(%x : f32) adjoints(%x : f32) primal {
  ^bb0(%i: index, %s: f32):
    %next = math.sin %s : f32
    pebble.yield %next : f32
  } adjoint {
  ^bb0(%i: index, %s: f32, %a: f32):
    %cos = math.cos %s : f32
    %b = arith.mulf %cos, %a : f32
    pebble.yield %b : f32
  }
  return %y, %dx : f32, f32
}
