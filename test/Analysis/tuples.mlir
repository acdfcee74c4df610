// RUN: pebble-opt %s --pebble-pure=mhlo --pebble-print-storage --pebble-print-footprint -o /dev/null | FileCheck %s

// A tuple holds the storages of its elements; each lives for itself.

func.func private @pair(%x: tensor<16xf32>) -> tuple<tensor<16xf32>, tensor<4xf32>> {
  %a = "mhlo.exp"(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = "mhlo.slice"(%a) : (tensor<16xf32>) -> tensor<4xf32>
  %t = "mhlo.tuple"(%a, %b) : (tensor<16xf32>, tensor<4xf32>) -> tuple<tensor<16xf32>, tensor<4xf32>>
  return %t : tuple<tensor<16xf32>, tensor<4xf32>>
}

// CHECK-LABEL: storage of @elements_live_apart:
// CHECK-NEXT:   s0 argument %x: 64 bytes
// CHECK-NEXT:   s1 local %t[0]: 64 bytes
// CHECK-NEXT:   s2 local %t[1]: 16 bytes
// CHECK-NEXT:   s3 local %c: 64 bytes
// CHECK-NEXT:   s4 local %d: 16 bytes, outlives
// CHECK-NEXT:   step 0 pair: reads s0, writes s1, writes s2
// CHECK-NEXT:   step 1 mhlo.exp %c: reads s1, writes s3
// CHECK-NEXT:   step 2 mhlo.exp %d: reads s2, writes s4
// CHECK-LABEL: footprint of @elements_live_apart:
// CHECK-NEXT:   peak 256 bytes in the compute tier at step 1 mhlo.exp %c
// CHECK-NEXT:   made here 192 bytes, constants 0 bytes
// CHECK-NEXT:   step 0 pair: 192 bytes
// CHECK-NEXT:   step 1 mhlo.exp %c: 256 bytes
// CHECK-NEXT:   step 2 mhlo.exp %d: 192 bytes
// CHECK-NEXT:   s0 %x: footprint 64, live from 0 to 2
// CHECK-NEXT:   s1 %t[0]: footprint 64, live from 0 to 1
// CHECK-NEXT:   s2 %t[1]: footprint 64, live from 0 to 2
// CHECK-NEXT:   s3 %c: footprint 64, live from 1 to 1
// CHECK-NEXT:   s4 %d: footprint 64, live from 2 to 2
func.func @elements_live_apart(%x: tensor<16xf32>) -> tensor<4xf32> {
  %t = call @pair(%x) : (tensor<16xf32>) -> tuple<tensor<16xf32>, tensor<4xf32>>
  %b = "mhlo.get_tuple_element"(%t) {index = 1 : i32} : (tuple<tensor<16xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %a = "mhlo.get_tuple_element"(%t) {index = 0 : i32} : (tuple<tensor<16xf32>, tensor<4xf32>>) -> tensor<16xf32>
  %c = "mhlo.exp"(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %d = "mhlo.exp"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}
