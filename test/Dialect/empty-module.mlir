// An empty module passes through the driver unchanged.
// RUN: pebble-opt %s | FileCheck %s
// CHECK: module {
// CHECK-NEXT: }
module {
}
