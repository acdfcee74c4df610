// RUN: pebble-opt %s --pebble-reuse-operands | FileCheck %s
// RUN: pebble-opt %s --pebble-reuse-operands > %t.once
// RUN: pebble-opt %t.once --pebble-reuse-operands | diff - %t.once
// What is written in place stays so, and nothing is merged or copied.
// RUN: pebble-opt %t.once -cse -canonicalize | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d1)>

// The step of the parameter is read by the update alone.
// CHECK-LABEL: func @update_takes_the_step
// CHECK: %[[STEP:.*]] = linalg.mul
// CHECK-NEXT: linalg.sub ins(%arg0, %[[STEP]] {{.*}} outs(%[[STEP]] :
func.func @update_takes_the_step(%w: tensor<8x8xf32>, %g: tensor<8x8xf32>, %r: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.mul ins(%g, %r : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %n = linalg.sub ins(%w, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %n : tensor<8x8xf32>
}

// CHECK-LABEL: func @donated_argument_is_taken
// CHECK-NOT: alloc_tensor
// CHECK: linalg.generic {{.*}} ins(%arg0 : {{.*}}) outs(%arg0 :
func.func @donated_argument_is_taken(%x: tensor<8xf32> {pebble.donated}) -> tensor<8xf32> {
  %y = math.exp %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// CHECK-LABEL: func @argument_of_the_caller_is_not
// CHECK: %[[OWN:.*]] = bufferization.alloc_tensor
// CHECK: outs(%[[OWN]] :
func.func @argument_of_the_caller_is_not(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = math.exp %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// CHECK-LABEL: func @operand_with_another_reader_is_not
// CHECK-COUNT-2: bufferization.alloc_tensor
func.func @operand_with_another_reader_is_not(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.log ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// An operand read twice by the operation itself has two uses.
// CHECK-LABEL: func @operand_read_turned_is_not
// CHECK-COUNT-2: bufferization.alloc_tensor
func.func @operand_read_turned_is_not(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

// What reads its destination needs the content that it asks for.
// CHECK-LABEL: func @accumulation_is_not
// CHECK: %[[A:.*]] = linalg.exp
// CHECK: linalg.generic {{.*}} ins(%[[A]] : {{.*}}) outs(%arg1 :
func.func @accumulation_is_not(%x: tensor<8x8xf32>, %acc: tensor<8x8xf32> {pebble.donated}) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%acc : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

// A product is no elementwise operation.
// CHECK-LABEL: func @product_is_not
// CHECK: %[[A:.*]] = linalg.exp
// CHECK: linalg.matmul ins(%[[A]], {{.*}}) outs(%{{[^ ]*}} :
// CHECK-NOT: outs(%[[A]]
func.func @product_is_not(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul ins(%a, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

// Between the two stands a step for which there would be less room.
// CHECK-LABEL: func @operand_made_long_before_is_not
// CHECK-COUNT-3: bufferization.alloc_tensor
func.func @operand_made_long_before_is_not(%x: tensor<8xf32>, %v: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %a = math.exp %x : tensor<8xf32>
  %other = math.sin %v : tensor<4xf32>
  %b = math.log %a : tensor<8xf32>
  return %b, %other : tensor<8xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @wish_is_left_alone
// CHECK-COUNT-2: bufferization.alloc_tensor
func.func @wish_is_left_alone(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = math.exp %x {pebble.keep} : tensor<8xf32>
  %b = math.log %a : tensor<8xf32>
  return %b : tensor<8xf32>
}

// A row for every row: only the operand of the result's own shape can be taken.
// CHECK-LABEL: func @broadcast_operand_is_not
// CHECK: %[[ROW:.*]] = linalg.exp
// CHECK-NOT: outs(%[[ROW]]
// CHECK: linalg.generic {{.*}} outs(%arg1 :
func.func @broadcast_operand_is_not(%v: tensor<8xf32>, %m: tensor<8x8xf32> {pebble.donated}) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %w = tensor.empty() : tensor<8x8xf32>
  %a = linalg.exp ins(%v : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %m : tensor<8xf32>, tensor<8x8xf32>) outs(%w : tensor<8x8xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %sum = arith.addf %in, %other : f32
    linalg.yield %sum : f32
  } -> tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

// In the body of a loop as well.
// CHECK-LABEL: func @inside_of_a_loop
// CHECK: scf.for
// CHECK: %[[E:.*]] = linalg.exp
// CHECK-NEXT: linalg.log ins(%[[E]] : {{.*}}) outs(%[[E]] :
func.func @inside_of_a_loop(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %x) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %b = linalg.log ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %c = linalg.add ins(%b, %x : tensor<8xf32>, tensor<8xf32>) outs(%s : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %c : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A donated argument whose storage somebody looks at as a buffer later on: the
// caller has given it away, so that nobody else sees what becomes of it.
// CHECK-LABEL: func @donated_and_looked_at
// CHECK: %[[B:.*]] = linalg.exp ins(%arg0 : {{.*}}) outs(%arg0 :
// CHECK: %[[C:.*]] = linalg.log ins(%[[B]] : {{.*}}) outs(%[[B]] :
// CHECK: bufferization.to_buffer %[[C]]
func.func @donated_and_looked_at(%x: tensor<8xf32> {pebble.donated}, %out: memref<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %b = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.log ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %m = bufferization.to_buffer %c read_only : tensor<8xf32> to memref<8xf32>
  memref.copy %m, %out : memref<8xf32> to memref<8xf32>
  return
}
