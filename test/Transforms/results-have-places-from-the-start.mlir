// RUN: split-file %s %t
// RUN: pebble-opt %t/step.mlir --pebble-group-steps=place-results | FileCheck %s --check-prefix=PLACES
// RUN: pebble-opt %t/step.mlir --pebble-group-steps --pebble-schedule="budget=100%%" | FileCheck %s --check-prefix=WITHOUT
// RUN: pebble-opt %t/step.mlir --pebble-group-steps=place-results --pebble-schedule="budget=100%%" | FileCheck %s --check-prefix=WITH
// RUN: pebble-opt %t/step.mlir --pebble-group-steps=place-results --pebble-schedule="budget=100%%" --pebble-to-stablehlo | FileCheck %s --check-prefix=OUT
// RUN: pebble-opt %t/step.mlir --pebble-group-steps=place-results --pebble-to-stablehlo | FileCheck %s --check-prefix=OUT
// RUN: not pebble-opt %t/number.mlir 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not pebble-opt %t/type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not pebble-opt %t/read.mlir --pebble-to-stablehlo 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not pebble-opt %t/used.mlir --pebble-to-stablehlo 2>&1 | FileCheck %s --check-prefix=READ

// The first result may lie in the argument that is given away, and the last is an
// argument. The other has a place of its own, which nothing lies in before: the
// peak is 1 kB higher, and no step costs more.

// PLACES: func.func @f(%{{[^:]*}}: tensor<256xf32> {jax.buffer_donor = true}, %{{[^:]*}}: tensor<256xf32>,
// PLACES-SAME: %[[PLACE:[^:]*]]: tensor<256xi32> {pebble.donated, pebble.result_place = 1 : i64})
// PLACES: pebble.step %{{.*}}, %[[PLACE]] {overwrites = array<i64: 1>}

// WITHOUT: pebble.result = {{.*}} cost = 6400 : i64{{.*}} peak_bytes = 4096 : i64
// WITH: pebble.result = {{.*}} cost = 6400 : i64{{.*}} peak_bytes = 5120 : i64

// OUT: func.func @f(%{{.*}}: tensor<256xf32> {jax.buffer_donor = true}, %{{.*}}: tensor<256xf32>)
// OUT-NOT: pebble
// OUT: return

// NUMBER: error: {{.*}}[D69] 'pebble.result_place' on argument 0 must be the number of a result (i64)
// TYPE: error: {{.*}}[D69] 'pebble.result_place' on argument 0 names result 0, which has another type
// READ: error: {{.*}}reads the place of a result, where nothing is before the result is

//--- step.mlir
func.func @f(%x: tensor<256xf32> {jax.buffer_donor = true}, %y: tensor<256xf32>) -> (tensor<256xf32>, tensor<256xi32>, tensor<256xf32>) {
  %a = "stablehlo.sort"(%y) <{dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = "stablehlo.compare"(%l, %r) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<256xf32>) -> tensor<256xf32>
  %b = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = "stablehlo.compare"(%l, %r) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<256xf32>) -> tensor<256xf32>
  %s = "stablehlo.add"(%b, %x) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %i = "stablehlo.convert"(%s) : (tensor<256xf32>) -> tensor<256xi32>
  return %s, %i, %y : tensor<256xf32>, tensor<256xi32>, tensor<256xf32>
}
//--- number.mlir
func.func @f(%x: tensor<4xf32> {pebble.result_place = 1 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
//--- type.mlir
func.func @f(%x: tensor<4xi32> {pebble.result_place = 0 : i64}, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}
//--- read.mlir
func.func @f(%x: tensor<4xf32> {pebble.result_place = 0 : i64}) -> tensor<4xf32> {
  %0 = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- used.mlir
func.func @f(%x: tensor<4xf32> {pebble.donated, pebble.result_place = 0 : i64}) -> tensor<4xf32> {
  %0 = pebble.step %x {overwrites = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%v: tensor<4xf32>):
    %1 = "stablehlo.negate"(%v) : (tensor<4xf32>) -> tensor<4xf32>
    pebble.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
