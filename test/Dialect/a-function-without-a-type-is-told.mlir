// A rule may ask a function that is not found to be broken yet.
// RUN: not pebble-opt %s 2>&1 | FileCheck %s
// CHECK: error: [D30] argument 0 belongs to the caller
module {
  "pebble.drop"(%x) : (memref<4xf32>) -> ()
  "func.func"() ({
  ^bb0(%x: memref<4xf32>):
  }) {sym_name = "f"} : () -> ()
}
