// RUN: split-file %s %t
// RUN: not pebble-report %t/dynamic.mlir --json > %t/out 2> %t/err
// RUN: FileCheck %s --check-prefix=ERR < %t/err
// RUN: FileCheck %s --check-prefix=OUT < %t/out
// RUN: pebble-report %t/dynamic.mlir --json --pebble-dim-bound=8 --function=unbounded | FileCheck %s --check-prefix=BOUND
// RUN: pebble-report %t/empty.mlir --json | FileCheck %s --check-prefix=EMPTY
// RUN: pebble-report %t/empty.mlir | count 0
// RUN: not pebble-report %t/syntax.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not pebble-report %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not pebble-report %t/empty.mlir %t/empty.mlir %t/empty.mlir 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: pebble-report %t/barrier.mlir --pebble-pure=other --json | FileCheck %s --check-prefix=BARRIER
// RUN: pebble-report %t/barrier.mlir --pebble-pure=other --pebble-pure=some.op --json | FileCheck %s --check-prefix=PURE
// RUN: not pebble-report %t/dynamic.mlir --json --function=unbounded 2> %t/none | count 0
// RUN: FileCheck %s --check-prefix=ERR < %t/none
// RUN: not pebble-report %t/empty.mlir --budget-bytes=-4 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not pebble-report %t/dynamic.mlir --pebble-dim-bound=-1 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not pebble-report %t/dynamic.mlir --pebble-dim-bound=0 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not pebble-opt %t/dynamic.mlir --pebble-dim-bound=0 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not pebble-report %t/large.mlir 2>&1 | FileCheck %s --check-prefix=LARGE

// A size that is not known is an error where it is missing; the other functions
// are reported all the same.
// ERR: dynamic.mlir:{{.*}} error: size of tensor<?xf32> is not known
// OUT-NOT: "unbounded"
// OUT: "bounded": {
// BOUND: "unbounded": {
// BOUND: "default": 128

// A module without functions, or with declarations alone, has no reports.
// EMPTY: {}

// SYNTAX: syntax.mlir:1:{{.*}} error:
// MISSING: missing.mlir
// THREE: error: at most two files can be compared

// BUDGET: error: '--budget' takes a whole number, with KB, MB, GB, KiB, MiB or GiB behind it or not, or a percentage as 50%, got -4
// SIZE: for the --dim-bound option: '{{-1|0}}' is not a whole number from 1 to 9223372036854775807
// SIZE-NOT: {{.}}

// Nothing is to be bounded in a static size.
// LARGE: error: size of tensor<9223372036854775807xf32> is too large to count{{$}}

// Barriers are listed with their reasons.
// BARRIER: "barriers": [
// BARRIER-NEXT: {
// BARRIER-NEXT:   "op": "some.op %y",
// BARRIER-NEXT:   "position": 0,
// BARRIER-NEXT:   "reason": "'some.op' is not registered and may have any effect"
// PURE: "barriers": [],

//--- dynamic.mlir
func.func @unbounded(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = math.exp %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @bounded(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = math.exp %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
//--- large.mlir
func.func @large(%x: tensor<9223372036854775807xf32>) {
  return
}
//--- empty.mlir
func.func private @declared()
//--- syntax.mlir
func.func @f( {
//--- barrier.mlir
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = "some.op"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %z = "other.op"(%y) : (tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}
