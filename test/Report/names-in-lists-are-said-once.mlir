// Steps of one name stand once in the lists of a comparison, with how many they
// are.
// RUN: split-file %s %t
// RUN: pebble-report %t/before.mlir %t/after.mlir --pure=t | FileCheck %s
// CHECK: moved (3): t.a same (2 times), other{{$}}

//--- before.mlir
func.func @step(%x: tensor<16xf32>) -> tensor<16xf32> {
  %p = "t.p"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %q = "t.q"(%p) : (tensor<16xf32>) -> tensor<16xf32>
  %r = "t.r"(%q) : (tensor<16xf32>) -> tensor<16xf32>
  %s = "t.s"(%r) : (tensor<16xf32>) -> tensor<16xf32>
  %a = "t.a"(%x) {pebble.name = "same"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "t.a"(%a) {pebble.name = "same"} : (tensor<16xf32>) -> tensor<16xf32>
  %c = "t.c"(%b) : (tensor<16xf32>) -> tensor<16xf32> loc("other")
  %d = "t.d"(%s, %c) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %d : tensor<16xf32>
}

//--- after.mlir
func.func @step(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = "t.a"(%x) {pebble.name = "same"} : (tensor<16xf32>) -> tensor<16xf32>
  %b = "t.a"(%a) {pebble.name = "same"} : (tensor<16xf32>) -> tensor<16xf32>
  %c = "t.c"(%b) : (tensor<16xf32>) -> tensor<16xf32> loc("other")
  %p = "t.p"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %q = "t.q"(%p) : (tensor<16xf32>) -> tensor<16xf32>
  %r = "t.r"(%q) : (tensor<16xf32>) -> tensor<16xf32>
  %s = "t.s"(%r) : (tensor<16xf32>) -> tensor<16xf32>
  %d = "t.d"(%s, %c) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %d : tensor<16xf32>
}
