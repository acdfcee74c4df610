// A slice of tosa has a storage of its own in the plan, and is a view of its source
// when it runs. Lowered first, the plan holds to the byte.
// RUN: pebble-opt %s --pebble-schedule=budget=min --remarks-filter-missed=pebble-schedule -o /dev/null 2>&1 | FileCheck %s
// RUN: pebble-opt %s --pebble-order-operations --remarks-filter-missed=pebble-order-operations -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: [Missed] tosa | {{.*}}'main' is planned as it stands, and its peak is no promise
// RUN: pebble-opt %s --pebble-lower-tosa --pebble-schedule=budget=min --remarks-filter-missed=pebble-schedule -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOWERED --implicit-check-not='[Missed] tosa'
// LOWERED: budget [[BYTES:[0-9,]+]] B, peak {{.*}} -> [[BYTES]] B
// RUN: pebble-run %t.mlir 2>&1 | FileCheck %s --check-prefix=METER
// METER: as predicted
func.func @main(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>) -> (tensor<4x16xf32>, tensor<8x16xf32>) {
  %c = tosa.concat %a, %b {axis = 0 : i32} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  %s0 = tosa.const_shape {values = dense<[2, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %s1 = tosa.const_shape {values = dense<[4, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %d = tosa.slice %c, %s0, %s1 : (tensor<16x16xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<4x16xf32>
  %x = tosa.exp %a : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %y = tosa.add %x, %b : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %z = tosa.exp %y : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %e = tosa.exp %d : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %e, %z : tensor<4x16xf32>, tensor<8x16xf32>
}
