// RUN: pebble-opt %s --pebble-shard-to-collectives | FileCheck %s
shard.grid @line(shape = 4)
shard.grid @grid(shape = 2x3)

// CHECK-LABEL: @rows_and_columns
func.func @rows_and_columns(%x: tensor<6x6xf32>) -> (tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>) {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<6x6xf32>
  // CHECK: pebble.collective all_reduce %arg0 into %[[E]] group = 3 stride = 1 ranks = 6 :
  %0 = shard.all_reduce %x on @grid grid_axes = [1] : tensor<6x6xf32> -> tensor<6x6xf32>
  // CHECK: pebble.collective all_reduce %arg0 into %{{.*}} group = 2 stride = 3 ranks = 6 reduction = max :
  %1 = shard.all_reduce %x on @grid grid_axes = [0] reduction = max : tensor<6x6xf32> -> tensor<6x6xf32>
  // CHECK: pebble.collective all_reduce %arg0 into %{{.*}} group = 6 stride = 1 ranks = 6 :
  %2 = shard.all_reduce %x on @grid grid_axes = [0, 1] : tensor<6x6xf32> -> tensor<6x6xf32>
  return %0, %1, %2 : tensor<6x6xf32>, tensor<6x6xf32>, tensor<6x6xf32>
}

// CHECK-LABEL: @parts
func.func @parts(%x: tensor<4x8xf32>) -> (tensor<4x32xf32>, tensor<1x8xf32>, tensor<4x2xf32>, tensor<4x8xf32>) {
  // CHECK: all_gather %arg0 into %{{.*}} group = 4 stride = 1 ranks = 4 axis = 1 : tensor<4x8xf32>, tensor<4x32xf32>
  %0 = shard.all_gather %x on @line grid_axes = [0] gather_axis = 1 : tensor<4x8xf32> -> tensor<4x32xf32>
  // CHECK: reduce_scatter %arg0 into %{{.*}} group = 4 stride = 1 ranks = 4 : tensor<4x8xf32>, tensor<1x8xf32>
  %1 = shard.reduce_scatter %x on @line grid_axes = [0] scatter_axis = 0 : tensor<4x8xf32> -> tensor<1x8xf32>
  // CHECK: all_slice %arg0 into %{{.*}} group = 4 stride = 1 ranks = 4 axis = 1 : tensor<4x8xf32>, tensor<4x2xf32>
  %2 = shard.all_slice %x on @line grid_axes = [0] slice_axis = 1 : tensor<4x8xf32> -> tensor<4x2xf32>
  // CHECK: broadcast %arg0 into %{{.*}} group = 4 stride = 1 ranks = 4 axis = 2 : tensor<4x8xf32>, tensor<4x8xf32>
  %3 = shard.broadcast %x on @line grid_axes = [0] root = [2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1, %2, %3 : tensor<4x32xf32>, tensor<1x8xf32>, tensor<4x2xf32>, tensor<4x8xf32>
}

// A slice of a sum that nobody needs as a whole is scattered.
// CHECK-LABEL: @scattered
// CHECK-NOT: all_reduce
// CHECK: reduce_scatter %arg0 into %{{.*}} group = 4 stride = 1 ranks = 4 : tensor<8x8xf32>, tensor<2x8xf32>
// CHECK-NOT: all_reduce
func.func @scattered(%x: tensor<8x8xf32>) -> tensor<2x8xf32> {
  %0 = shard.all_reduce %x on @line grid_axes = [0] : tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = shard.all_slice %0 on @line grid_axes = [0] slice_axis = 0 : tensor<8x8xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// It stays a sum where somebody does, and along another dimension.
// CHECK-LABEL: @needed_whole
// CHECK: all_reduce
// CHECK: all_slice
func.func @needed_whole(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<2x8xf32>) {
  %0 = shard.all_reduce %x on @line grid_axes = [0] : tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = shard.all_slice %0 on @line grid_axes = [0] slice_axis = 0 : tensor<8x8xf32> -> tensor<2x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<2x8xf32>
}
// CHECK-LABEL: @columns
// CHECK: all_reduce
// CHECK: all_slice
func.func @columns(%x: tensor<8x8xf32>) -> tensor<8x2xf32> {
  %0 = shard.all_reduce %x on @line grid_axes = [0] : tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = shard.all_slice %0 on @line grid_axes = [0] slice_axis = 1 : tensor<8x8xf32> -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// CHECK-LABEL: @equal_sides
// CHECK-NEXT: return %arg1
func.func @equal_sides(%c: i1, %x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = scf.if %c -> tensor<8xf32> {
    scf.yield %x : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
