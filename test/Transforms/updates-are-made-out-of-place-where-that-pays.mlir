// RUN: pebble-opt --quiet %s --split-input-file --pebble-schedule="budget-bytes=17920" --pebble-verify-schedule | FileCheck %s --check-prefix=COST
// RUN: pebble-opt --quiet %s --split-input-file --pebble-schedule="budget-bytes=17920" --pebble-verify-schedule | FileCheck %s
// RUN: pebble-opt --quiet %s --split-input-file --pebble-schedule="budget-bytes=17920" -cse -canonicalize --pebble-verify-schedule | FileCheck %s --check-prefix=CLEAN
// RUN: pebble-opt --quiet %s --split-input-file --pebble-schedule="budget-bytes=17920" --remarks-filter=pebble-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: pebble-opt %s --split-input-file --pebble-schedule="budget-bytes=17920" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: not pebble-opt --quiet %s --split-input-file --pebble-schedule="budget-bytes=17920 out-of-place=false" -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAYS

// `a` is read before it is overwritten, and what was read is large and wanted
// late. Where the update destroys `a`, `m` has to be kept. With a storage of its
// own it takes 64 bytes more, and the schedule is that of the program that updates
// nothing.
// COST-LABEL: func @in_place
// COST-SAME: cost = [[COST:[0-9]+]] : i64
// COST-SAME: status = "optimal"
// COST-SAME: out_of_place_bytes = 64 : i64, out_of_place_values = 1 : i64
// CHECK-LABEL: func @in_place
// CHECK: %[[A:.*]] = linalg.exp {{.*}}"a"
// CHECK: linalg.broadcast {{.*}}"m"
// CHECK: linalg.reduce
// CHECK-NEXT: %[[D:.*]] = bufferization.alloc_tensor() {{.*}} : tensor<16xf32>
// CHECK-NEXT: linalg.tanh {pebble.name = "u"} ins(%[[A]] : {{.*}}) outs(%[[D]] :
// CHECK: pebble.opaque %[[A]]
// CHECK: linalg.broadcast {{.*}}"m"
// CLEAN-LABEL: func @in_place
// CLEAN: linalg.broadcast {{.*}}"m"
// CLEAN: linalg.broadcast {{.*}}"m"
// REMARK: Bytes=64, CopyCost=0, Remark="'linalg.tanh u' writes a storage of its own instead of overwriting a: 64 bytes"
// LINE: @in_place: {{.*}} moved 0, out of place 1 (64 B);
// STAYS: error: no schedule was found within the budget of 17920 bytes; the smallest feasible budget found is {{3[0-9]+}} bytes
func.func @in_place(%x: tensor<16xf32>) -> (tensor<256xf32>, tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<16xf32>
  %w = tensor.empty() : tensor<256x16xf32>
  %l = tensor.empty() : tensor<256xf32>
  %a = linalg.exp {pebble.name = "a"} ins(%x : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %m = linalg.broadcast {pebble.name = "m"} ins(%a : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %f = linalg.fill ins(%zero : f32) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.reduce {arith.addf} ins(%m : tensor<256x16xf32>) outs(%f : tensor<16xf32>) dimensions = [0]
  %u = linalg.tanh {pebble.name = "u"} ins(%a : tensor<16xf32>) outs(%a : tensor<16xf32>) -> tensor<16xf32>
  %t = linalg.add ins(%u, %s : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %o = linalg.broadcast {pebble.name = "o"} ins(%t : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %g = linalg.fill ins(%zero : f32) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.reduce {arith.maximumf} ins(%o : tensor<256x16xf32>) outs(%g : tensor<16xf32>) dimensions = [0]
  %h = linalg.fill ins(%zero : f32) outs(%l : tensor<256xf32>) -> tensor<256xf32>
  %r = linalg.matvec ins(%m, %q : tensor<256x16xf32>, tensor<16xf32>) outs(%h : tensor<256xf32>) -> tensor<256xf32>
  return %r, %u : tensor<256xf32>, tensor<16xf32>
}

// COST-LABEL: func @apart
// COST-SAME: cost = [[COST]] : i64
// COST-NOT: out_of_place
// COST: return
func.func @apart(%x: tensor<16xf32>) -> (tensor<256xf32>, tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<16xf32>
  %w = tensor.empty() : tensor<256x16xf32>
  %l = tensor.empty() : tensor<256xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %m = linalg.broadcast ins(%a : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %f = linalg.fill ins(%zero : f32) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.reduce {arith.addf} ins(%m : tensor<256x16xf32>) outs(%f : tensor<16xf32>) dimensions = [0]
  %u = linalg.tanh ins(%a : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %t = linalg.add ins(%u, %s : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %o = linalg.broadcast ins(%t : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %g = linalg.fill ins(%zero : f32) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.reduce {arith.maximumf} ins(%o : tensor<256x16xf32>) outs(%g : tensor<16xf32>) dimensions = [0]
  %h = linalg.fill ins(%zero : f32) outs(%l : tensor<256xf32>) -> tensor<256xf32>
  %r = linalg.matvec ins(%m, %q : tensor<256x16xf32>, tensor<16xf32>) outs(%h : tensor<256xf32>) -> tensor<256xf32>
  return %r, %u : tensor<256xf32>, tensor<16xf32>
}

// -----

// The update leaves a part of what was there, which is copied.
// CHECK-LABEL: func @copied_first
// CHECK: %[[A:.*]] = linalg.exp {{.*}}"a"
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK: tensor.insert_slice %{{.*}} into %[[C]]
// REMARK: Bytes=64, CopyCost=128, Remark="'tensor.insert_slice {{.*}} writes a storage of its own instead of overwriting a: 64 bytes, after a copy of as many"
func.func @copied_first(%x: tensor<16xf32>, %y: tensor<4xf32>) -> (tensor<256xf32>, tensor<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = tensor.empty() : tensor<16xf32>
  %w = tensor.empty() : tensor<256x16xf32>
  %l = tensor.empty() : tensor<256xf32>
  %a = linalg.exp {pebble.name = "a"} ins(%x : tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %m = linalg.broadcast ins(%a : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %f = linalg.fill ins(%zero : f32) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %s = linalg.reduce {arith.addf} ins(%m : tensor<256x16xf32>) outs(%f : tensor<16xf32>) dimensions = [0]
  %u = tensor.insert_slice %y into %a[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %t = linalg.add ins(%u, %s : tensor<16xf32>, tensor<16xf32>) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %o = linalg.broadcast ins(%t : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %g = linalg.fill ins(%zero : f32) outs(%n : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.reduce {arith.maximumf} ins(%o : tensor<256x16xf32>) outs(%g : tensor<16xf32>) dimensions = [0]
  %h = linalg.fill ins(%zero : f32) outs(%l : tensor<256xf32>) -> tensor<256xf32>
  %r = linalg.matvec ins(%m, %q : tensor<256x16xf32>, tensor<16xf32>) outs(%h : tensor<256xf32>) -> tensor<256xf32>
  return %r, %u : tensor<256xf32>, tensor<16xf32>
}
