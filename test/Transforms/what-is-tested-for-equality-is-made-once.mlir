// RUN: pebble-opt %s --pebble-group-steps --split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-group-steps --split-input-file | pebble-opt --split-input-file --pebble-schedule="budget=100%%" -o /dev/null

// The derivative of a maximum asks where the result is equal to the operand. The
// operand is a sum of products, which is cheap, and a backend may round it
// otherwise where it fuses it otherwise: so it is made by one step, and read.

// CHECK-LABEL: func.func @maximum
// CHECK: [[SUM:%.*]] = pebble.step
// CHECK: stablehlo.multiply
// CHECK: [[X:%.*]] = "stablehlo.add"
// CHECK-NEXT: pebble.yield [[X]]
// CHECK: pebble.step{{.*}}[[SUM]]
// CHECK: stablehlo.maximum
// CHECK-NOT: stablehlo.add
// CHECK: pebble.step{{.*}}[[SUM]]
// CHECK: stablehlo.compare
// CHECK-NOT: stablehlo.add
// CHECK: return
func.func @maximum(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %p = "stablehlo.multiply"(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %x = "stablehlo.add"(%p, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = "stablehlo.maximum"(%x, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %d = "stablehlo.dot_general"(%m, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %is = "stablehlo.compare"(%x, %m) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xi1>
  %g = "stablehlo.select"(%is, %d, %w) : (tensor<64x64xi1>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %g : tensor<64x64xf32>
}

// -----

// The same through a maximum of rows, which is spread over them again.

// CHECK-LABEL: func.func @of_rows
// CHECK: stablehlo.multiply
// CHECK-NOT: stablehlo.multiply
// CHECK: return
func.func @of_rows(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xi1> {
  %low = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %x = "stablehlo.multiply"(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = "stablehlo.reduce"(%x, %low) <{dimensions = array<i64: 1>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %c = "stablehlo.maximum"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
  %wide = "stablehlo.broadcast_in_dim"(%m) <{broadcast_dimensions = array<i64: 0>}> : (tensor<64xf32>) -> tensor<64x64xf32>
  %is = "stablehlo.compare"(%x, %wide) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xi1>
  return %is : tensor<64x64xi1>
}

// -----

// A test for being a number, and one of what else was rounded, keep nothing.

// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: stablehlo.multiply
// CHECK: return
func.func @others(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xi1>) {
  %x = "stablehlo.multiply"(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = "stablehlo.maximum"(%x, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %nan = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xi1>
  %is = "stablehlo.compare"(%x, %w) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xi1>
  %both = "stablehlo.and"(%nan, %is) : (tensor<64x64xi1>, tensor<64x64xi1>) -> tensor<64x64xi1>
  return %m, %both : tensor<64x64xf32>, tensor<64x64xi1>
}
