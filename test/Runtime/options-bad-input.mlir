// Numbers that an option does not take are told with those that it takes, and
// names that say nothing are told as well.

// RUN: not pebble-run %s --repeat=2147483648 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: for the --repeat option: '2147483648' is not a whole number from 1 to 1000000
// RUN: not pebble-run %s --repeat=-1 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: for the --repeat option: '-1' is not a whole number from 1 to 1000000
// RUN: not pebble-run %s --opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: for the --opt-level option: '4' is not a whole number from 0 to 3
// RUN: not pebble-run %s --seed=nan 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: for the --seed option: 'nan' is not a whole number from 0 to 18446744073709551615
// RUN: not pebble-run %s --pebble-dim-bound=99999999999999999999 2>&1 | FileCheck %s --check-prefix=BOUND
// BOUND: for the --dim-bound option: '99999999999999999999' is not a whole number from 1 to 9223372036854775807

// RUN: pebble-opt %s --allow-unregistered-dialect --pebble-pure=one,two.op,three --pebble-print-footprint -o /dev/null 2>&1 | FileCheck %s --check-prefix=PURE
// PURE-NOT: --pure=one
// PURE-NOT: --pure=two.op
// PURE: warning: --pure=three matches nothing: no unregistered operation is of this dialect or name
// RUN: pebble-run %s --pebble-pure=linalg 2>&1 | FileCheck %s --check-prefix=LINALG
// RUN: pebble-report %s --pebble-pure=linalg 2>&1 | FileCheck %s --check-prefix=LINALG
// LINALG: warning: --pure=linalg matches nothing

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "one.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = "two.op"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
