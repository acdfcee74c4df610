// The calls that pebble-checkpoint-calls decided on stand in the picture as a
// tree: each under its caller, in the colour of what becomes of its tape.
// RUN: rm -rf %t && pebble-report %s --function=main -o %t > /dev/null
// RUN: FileCheck %s < %t/main.svg
// RUN: %python %S/Inputs/check_labels.py %t/main.svg
// A program without such calls has no tree.
// RUN: pebble-report %s --function=leaf -o %t/leaf > /dev/null
// RUN: FileCheck %s --check-prefix=NONE < %t/leaf/leaf.svg

//      CHECK: >calls with adjoints</text>
//      CHECK: <rect {{.*}} fill="[[SPLIT:#[0-9a-f]+]]"/>
// CHECK-NEXT: >split: its tape is kept</text>
// CHECK-NEXT: <rect {{.*}} fill="[[JOINT:#[0-9a-f]+]]"/>
// CHECK-NEXT: >joint: runs again before its adjoint</text>
//      CHECK: <rect x="[[OUTER:[0-9.]+]]" {{.*}} fill="[[SPLIT]]"/>
// CHECK-NEXT: >@outer</text>
//      CHECK: <rect x="[[INNER:[0-9.]+]]" {{.*}} fill="[[JOINT]]"/>
// CHECK-NEXT: >@inner</text>
//      CHECK: <rect x="[[OUTER]]" {{.*}} fill="[[JOINT]]"/>
// CHECK-NEXT: >@inner (its calls as above)</text>
//       NONE: </svg>
//   NONE-NOT: calls with adjoints

func.func private @leaf(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = math.exp %x : tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func private @inner(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = call @leaf(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func private @outer(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = call @inner(%x) {pebble.call_mode = "joint"} : (tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = call @outer(%x) {pebble.call_mode = "split"} : (tensor<16xf32>) -> tensor<16xf32>
  %z = call @inner(%y) {pebble.call_mode = "joint"} : (tensor<16xf32>) -> tensor<16xf32>
  return %z : tensor<16xf32>
}
