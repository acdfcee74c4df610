// A wait needs the request of something that was started.
// RUN: split-file %s %t
// RUN: not pebble-run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pebble-run %t/from-nowhere.mlir 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not pebble-run %t/given.mlir 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: not pebble-opt %t/given.mlir --pebble-verify-messages=ranks=2 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// NONE: none.mlir:3:3: error: 'mpi.wait' op requires a single operand
// NOWHERE: from-nowhere.mlir:3:8: error: failed to legalize operation 'ub.poison'
// GIVEN: given.mlir:1:1: error: argument 0 is of type '!mpi.request', which cannot be generated
// UNKNOWN: given.mlir:3:3: error: cannot tell what rank 0 does here: its request is known to the run alone

//--- none.mlir
func.func @main() {
  mpi.init
  "mpi.wait"() : () -> ()
  mpi.finalize
  return
}

//--- from-nowhere.mlir
func.func @main() {
  mpi.init
  %q = ub.poison : !mpi.request
  mpi.wait(%q) : !mpi.request
  mpi.finalize
  return
}

//--- given.mlir
func.func @main(%q: !mpi.request) {
  mpi.init
  mpi.wait(%q) : !mpi.request
  mpi.finalize
  return
}
