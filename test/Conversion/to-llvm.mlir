// RUN: pebble-opt %s --pebble-to-llvm -o %t && FileCheck %s --input-file=%t
// What is in the LLVM dialect already passes, with the same calls in the same order.
// RUN: grep -o "call @[a-z_0-9]*" %t > %t.calls
// RUN: pebble-opt %t --pebble-to-llvm | grep -o "call @[a-z_0-9]*" | diff %t.calls -

// CHECK-NOT: pebble.
// CHECK-NOT: unrealized_conversion_cast
module attributes {pebble.hierarchy = #pebble.hierarchy<[
    <"l1", kind = cache, capacity = 1024>, <"red", kind = explicit>, <"blue", kind = explicit>]>} {
  // Tiers are numbered as in the hierarchy; the compute tier is the first
  // explicit one.
  // CHECK-LABEL: llvm.func @tiers
  func.func @tiers(%x: tensor<8xf32> {pebble.range = [0.0, 1.0]}) -> tensor<8xf32, #pebble.at<"blue">> {
    // CHECK: llvm.getelementptr
    // CHECK: llvm.ptrtoint
    // CHECK: %[[RED:.*]] = llvm.mlir.constant(1 : i32) : i32
    // CHECK-NEXT: llvm.call @pebble_rt_alloc(%[[RED]],
    // CHECK: llvm.call @pebble_kernel
    // CHECK: llvm.ptrtoint
    // CHECK: %[[BLUE:.*]] = llvm.mlir.constant(2 : i32) : i32
    // CHECK-NEXT: llvm.call @pebble_rt_alloc(%[[BLUE]],
    // CHECK: %[[TOKEN:.*]] = llvm.call @pebble_rt_copy_start
    // CHECK: llvm.call @pebble_rt_wait(%[[TOKEN]])
    // CHECK: llvm.call @pebble_rt_free
    // CHECK: llvm.return
    %d = tensor.empty() : tensor<8xf32>
    %y = linalg.exp ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    %away, %t = pebble.store %y : tensor<8xf32> -> tensor<8xf32, #pebble.at<"blue">>
    %there = pebble.wait %t for %away : tensor<8xf32, #pebble.at<"blue">>
    return %there : tensor<8xf32, #pebble.at<"blue">>
  }

  // Equal operations share one function, which is never inlined; its memory is
  // reached through one argument each.
  // CHECK-LABEL: llvm.func @equal_operations
  func.func @equal_operations(%x: tensor<8xf32>) -> tensor<8xf32> {
    // CHECK: llvm.call @[[KERNEL:pebble_kernel[_0-9]*]]
    // CHECK: llvm.call @[[KERNEL]]
    %d = tensor.empty() : tensor<8xf32>
    %y = linalg.sqrt ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %z = linalg.sqrt ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %z : tensor<8xf32>
  }

  // 16-bit floats without an instruction, and functions without an intrinsic.
  // CHECK-LABEL: llvm.func @small_floats
  func.func @small_floats(%a: bf16, %b: f32) -> (bf16, f32) {
    // CHECK: llvm.fadd {{.*}} : f32
    // CHECK: llvm.call @erff
    %c = arith.addf %a, %a : bf16
    %e = math.erf %b : f32
    return %c, %e : bf16, f32
  }
  // CHECK: llvm.func internal @[[KERNEL]]({{.*}}: !llvm.ptr {llvm.noalias}{{.*}}no_inline
}
