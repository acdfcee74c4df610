// A run may take hours: that its files cannot be written is said before it,
// two options do not write one file, and a full disk is an error like others.
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: not pebble-run %s --summary=nowhere/all.json 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=peak
// NONE: error: cannot write nowhere/all.json: No such file or directory
// RUN: not pebble-run %s --json=one.json --trace=one.json 2>&1 | FileCheck %s --check-prefix=ONE --implicit-check-not=peak
// ONE: error: --trace and --json name one file, one.json: give each its own
// RUN: not ls one.json
// RUN: not pebble-run %s --json=/dev/full 2>&1 | FileCheck %s --check-prefix=FULL --implicit-check-not="LLVM ERROR"
// FULL: error: cannot write /dev/full: No space left on device
// RUN: pebble-run %s --pace 2>&1 | FileCheck %s --check-prefix=PACE
// PACE: warning: --pace holds nothing: the machine has no tier slower than the compute tier, and the program sends no messages

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
