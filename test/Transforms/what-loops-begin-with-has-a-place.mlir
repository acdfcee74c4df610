// RUN: pebble-opt %s --pebble-group-steps=place-results | FileCheck %s
// RUN: pebble-opt %s --pebble-group-steps=place-results --pebble-schedule="budget=100%%" --pebble-to-stablehlo | FileCheck %s --check-prefix=OUT
// RUN: pebble-opt %s --pebble-group-steps=place-results --pebble-schedule="budget=100%%" -cse -canonicalize --pebble-to-stablehlo | FileCheck %s --check-prefix=OUT
// RUN: pebble-opt %s --pebble-group-steps=place-results --pebble-steps-to-functions | FileCheck %s --check-prefix=FUNCTIONS

// OUT-LABEL: func.func @f1(%{{[^:]*}}: tensor<256xf32>, %{{[^:]*}}: tensor<i32>) -> tensor<256xf32>
// OUT-NOT: pebble

// The result of a loop lies where the loop began, which is the sort: nothing is
// there before.
// CHECK-LABEL: func.func @f1(
// CHECK-SAME: %[[PLACE:[^:]*]]: tensor<256xf32> {pebble.donated, pebble.result_place = 0 : i64})
// CHECK: %[[SORTED:.*]] = pebble.step %{{.*}}, %[[PLACE]] {overwrites = array<i64: 1>}
// CHECK: stablehlo.sort
// CHECK: pebble.step %[[SORTED]], %{{.*}} {overwrites = array<i64: 0>
// CHECK: stablehlo.while
func.func @f1(%x: tensor<256xf32>, %n: tensor<i32>) -> tensor<256xf32> {
  %0 = call @sort(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %1 = call @loop(%0, %n) : (tensor<256xf32>, tensor<i32>) -> tensor<256xf32>
  return %1 : tensor<256xf32>
}

// An argument that is not given away is copied to that place.
// CHECK-LABEL: func.func @f2(
// CHECK-SAME: %[[X:[^:]*]]: tensor<256xf32>, %{{[^:]*}}: tensor<i32>, %[[PLACE:[^:]*]]: tensor<256xf32> {pebble.donated, pebble.result_place = 0 : i64})
// CHECK: pebble.step %[[X]], %{{.*}}, %[[PLACE]] {overwrites = array<i64: 2>
func.func @f2(%x: tensor<256xf32>, %n: tensor<i32>) -> tensor<256xf32> {
  %0 = call @loop(%x, %n) : (tensor<256xf32>, tensor<i32>) -> tensor<256xf32>
  return %0 : tensor<256xf32>
}

// Where a step reads it before, that reads the copy, which is made but once and
// lies in that place too. What is returned as it is has its own place.
// CHECK-LABEL: func.func @f3(
// CHECK-SAME: %[[X:[^:]*]]: tensor<256xf32>, %{{[^:]*}}: tensor<i32>, %[[FIRST:[^:]*]]: tensor<256xf32> {pebble.donated, pebble.result_place = 0 : i64}, %[[SECOND:[^:]*]]: tensor<256xf32> {pebble.donated, pebble.result_place = 1 : i64})
// CHECK: %[[COPY:.*]] = pebble.step %[[X]], %[[SECOND]] {overwrites = array<i64: 1>, pebble.keep}
// CHECK-NEXT: ^bb0(%[[V:.*]]: tensor<256xf32>, %{{.*}}: tensor<256xf32>):
// CHECK-NEXT: pebble.yield %[[V]]
// CHECK: %[[SORTED:.*]] = pebble.step %[[COPY]], %[[FIRST]] {overwrites = array<i64: 1>}
// CHECK: %[[LOOP:.*]] = pebble.step %[[SORTED]]
// CHECK: %[[LAST:.*]] = pebble.step %[[COPY]], %[[LOOP]] {overwrites = array<i64: 0>}
// CHECK: return %[[SORTED]], %[[LAST]]
func.func @f3(%x: tensor<256xf32>, %n: tensor<i32>) -> (tensor<256xf32>, tensor<256xf32>) {
  %0 = call @sort(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %1 = call @loop(%0, %n) : (tensor<256xf32>, tensor<i32>) -> tensor<256xf32>
  %2 = call @update(%x, %1) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %3 = "stablehlo.add"(%2, %1) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %0, %3 : tensor<256xf32>, tensor<256xf32>
}

// A loop whose result has no place is measured with it in memory.
// FUNCTIONS: func.func @step_{{[0-9a-f]*}}(%{{[^:]*}}: tensor<256xf32>, %{{[^:]*}}: tensor<i32>) -> tensor<1xf32>
// FUNCTIONS: %[[W:.*]]:2 = "stablehlo.while"
// FUNCTIONS: %[[HELD:.*]] = "stablehlo.optimization_barrier"(%[[W]]#1)
// FUNCTIONS: "stablehlo.slice"(%[[HELD]])
// FUNCTIONS: func.func @step_{{[0-9a-f]*}}(%{{[^:]*}}: tensor<256xf32>, %{{[^:]*}}: tensor<i32>) -> tensor<256xf32>
// FUNCTIONS: %[[W:.*]]:2 = "stablehlo.while"
// FUNCTIONS: return %[[W]]#1

func.func private @sort(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = "stablehlo.compare"(%l, %r) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<256xf32>) -> tensor<256xf32>
  return %0 : tensor<256xf32>
}
func.func private @update(%x: tensor<256xf32>, %y: tensor<256xf32>) -> tensor<256xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %part = "stablehlo.slice"(%y) <{start_indices = array<i64: 0>, limit_indices = array<i64: 8>, strides = array<i64: 1>}> : (tensor<256xf32>) -> tensor<8xf32>
  %0 = "stablehlo.dynamic_update_slice"(%x, %part, %zero) : (tensor<256xf32>, tensor<8xf32>, tensor<i32>) -> tensor<256xf32>
  return %0 : tensor<256xf32>
}
func.func private @loop(%x: tensor<256xf32>, %n: tensor<i32>) -> tensor<256xf32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = "stablehlo.while"(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<256xf32>):
    %c = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<256xf32>):
    %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %w = "stablehlo.tanh"(%v) : (tensor<256xf32>) -> tensor<256xf32>
    "stablehlo.return"(%j, %w) : (tensor<i32>, tensor<256xf32>) -> ()
  }) : (tensor<i32>, tensor<256xf32>) -> (tensor<i32>, tensor<256xf32>)
  return %0#1 : tensor<256xf32>
}
