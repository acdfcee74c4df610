// RUN: pebble-opt %s --pebble-order-operations --split-input-file | FileCheck %s
// RUN: pebble-opt %s --pebble-order-operations --pebble-order-operations --split-input-file | FileCheck %s --check-prefix=TWICE
// RUN: pebble-opt %s --pebble-order-operations -cse -canonicalize --pebble-order-operations --split-input-file | FileCheck %s --check-prefix=AFTER-CSE

// One branch after the other instead of both at once: 4096 bytes less.
// CHECK-LABEL: func @finishes_one_branch_first
// CHECK-SAME: pebble.result = {bound = 8320 : i64, cost = 8320 : i64, input_peak_bytes = 12352 : i64, peak_bytes = 8320 : i64, solver = "{{[a-z]+}}", status = "optimal"}
// CHECK: linalg.exp
// CHECK: tensor.extract_slice
// CHECK: linalg.negf
// CHECK: linalg.abs
// CHECK: tensor.extract_slice
// CHECK: linalg.negf
// TWICE-LABEL: func @finishes_one_branch_first
// TWICE-SAME: pebble.result = {bound = 8320 : i64, cost = 8320 : i64, input_peak_bytes = 8320 : i64, peak_bytes = 8320 : i64, solver = "given", status = "optimal"}
// TWICE: linalg.exp
// TWICE: linalg.negf
// TWICE: linalg.abs
// AFTER-CSE-LABEL: func @finishes_one_branch_first
// AFTER-CSE-SAME: peak_bytes = 8320 : i64, solver = "given"
func.func @finishes_one_branch_first(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.abs ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a_low = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %b_low = tensor.extract_slice %b[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %p = linalg.negf ins(%a_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.negf ins(%b_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.add ins(%p, %q : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// The update would free nothing early enough to come before its last reader.
// CHECK-LABEL: func @readers_come_before_the_update
// CHECK: linalg.exp
// CHECK: linalg.mul
// CHECK: linalg.sub {{.*}} outs(%arg0
func.func @readers_come_before_the_update(%w: tensor<64xf32> {pebble.donated}, %x: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %g = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %h = linalg.mul ins(%w, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %new = linalg.sub ins(%w, %g : tensor<64xf32>, tensor<64xf32>) outs(%w : tensor<64xf32>) -> tensor<64xf32>
  return %h, %new : tensor<64xf32>, tensor<64xf32>
}

// -----

// What is no step stands right before the first step that needs it, and
// buffers are freed right after their last use.
// CHECK-LABEL: func @allocations_and_frees_follow
// CHECK: %[[A:.*]] = memref.alloc
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[A]]
// CHECK-NEXT: linalg.abs ins(%[[A]]
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK-NEXT: %[[B:.*]] = memref.alloc
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[B]]
// CHECK-NEXT: linalg.abs ins(%[[B]]
// CHECK-NEXT: memref.dealloc %[[B]]
// CHECK-NEXT: return
func.func @allocations_and_frees_follow(%x: memref<64xf32> {llvm.noalias}, %y: memref<64xf32> {llvm.noalias},
                                        %z: memref<64xf32> {llvm.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.abs ins(%a : memref<64xf32>) outs(%y : memref<64xf32>)
  linalg.abs ins(%b : memref<64xf32>) outs(%z : memref<64xf32>)
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return
}

// -----

// CHECK-LABEL: func private @without_a_body
// CHECK-NOT: pebble.result
func.func private @without_a_body(tensor<8xf32>)

// -----

// CHECK-LABEL: func @without_ops
// CHECK-SAME: cost = 0 : i64
func.func @without_ops() {
  return
}

// -----

// The callee is ordered first, and the call needs less inside.
// CHECK-LABEL: func @calls_what_was_ordered
// CHECK-SAME: input_peak_bytes = 12352 : i64, peak_bytes = 8320 : i64
// CHECK-LABEL: func private @callee
// CHECK-SAME: input_peak_bytes = 12352 : i64, peak_bytes = 8320 : i64
func.func @calls_what_was_ordered(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %y = func.call @callee(%x) : (tensor<1024xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}
func.func private @callee(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.abs ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a_low = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %b_low = tensor.extract_slice %b[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %p = linalg.negf ins(%a_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.negf ins(%b_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.add ins(%p, %q : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// The body of a loop is ordered for its peak, which is the loop's scratch.
// CHECK-LABEL: func @orders_inside_of_loops
// CHECK-SAME: input_peak_bytes = 12480 : i64, peak_bytes = 8448 : i64
// CHECK: scf.for
// CHECK: linalg.exp
// CHECK: linalg.reduce
// CHECK: linalg.abs
// CHECK: linalg.reduce
// CHECK: scf.yield
func.func @orders_inside_of_loops(%x: tensor<1024xf32>, %start: tensor<f32>, %n: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %start) -> tensor<f32> {
    %e = tensor.empty() : tensor<1024xf32>
    %o = tensor.empty() : tensor<f32>
    %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %b = linalg.abs ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
    %z = linalg.fill ins(%zero : f32) outs(%o : tensor<f32>) -> tensor<f32>
    %p = linalg.reduce {arith.addf} ins(%a : tensor<1024xf32>) outs(%z : tensor<f32>) dimensions = [0]
    %q = linalg.reduce {arith.addf} ins(%b : tensor<1024xf32>) outs(%z : tensor<f32>) dimensions = [0]
    %t = linalg.add ins(%p, %q : tensor<f32>, tensor<f32>) outs(%o : tensor<f32>) -> tensor<f32>
    scf.yield %t : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// Each block of a function by itself.
// CHECK-LABEL: func @orders_every_block
// CHECK-SAME: peak_bytes = 8{{[0-9]+}} : i64
func.func @orders_every_block(%x: tensor<1024xf32>, %c: i1) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<16xf32>
  cf.cond_br %c, ^one, ^two
^one:
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a_low = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %p = linalg.negf ins(%a_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  cf.br ^three(%p : tensor<16xf32>)
^two:
  %x_low = tensor.extract_slice %x[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %q = linalg.negf ins(%x_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  cf.br ^three(%q : tensor<16xf32>)
^three(%r: tensor<16xf32>):
  return %r : tensor<16xf32>
}
