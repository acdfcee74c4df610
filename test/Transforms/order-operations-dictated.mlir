// An order that the user dictates is kept, or rejected with the hazard's name.
// RUN: pebble-opt %s --pebble-order-operations --split-input-file --verify-diagnostics | FileCheck %s
// RUN: not pebble-opt %s --pebble-order-operations --remarks-filter=pebble-order-operations --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Missed] proof {{.*}}Bound=8256, Cost=12352, Remark="the order is not proven to be the best"

// CHECK-LABEL: func @keeps_what_is_dictated
// CHECK-SAME: solver = "dictated", status = "feasible"
// CHECK: linalg.exp
// CHECK: linalg.abs
// CHECK: linalg.negf
// CHECK: linalg.negf
func.func @keeps_what_is_dictated(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<16xf32>
  %b = linalg.abs {pebble.order = 1} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b_low = tensor.extract_slice %b[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %q = linalg.negf {pebble.order = 2} ins(%b_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %a = linalg.exp {pebble.order = 0} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a_low = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %p = linalg.negf {pebble.order = 3} ins(%a_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.add {pebble.order = 4} ins(%p, %q : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// Two ops have their order; where the others stand is still chosen.
// CHECK-LABEL: func @orders_the_rest
// CHECK: linalg.abs
// CHECK: linalg.negf
// CHECK: linalg.exp
// CHECK: linalg.negf
func.func @orders_the_rest(%x: tensor<1024xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %f = tensor.empty() : tensor<16xf32>
  %a = linalg.exp {pebble.order = 20} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %b = linalg.abs {pebble.order = 10} ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %a_low = tensor.extract_slice %a[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %b_low = tensor.extract_slice %b[0] [16] [1] : tensor<1024xf32> to tensor<16xf32>
  %p = linalg.negf ins(%a_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %q = linalg.negf ins(%b_low : tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.add ins(%p, %q : tensor<16xf32>, tensor<16xf32>) outs(%f : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

func.func @anti_dependence(%w: memref<8xf32> {llvm.noalias, pebble.name = "w"}, %x: memref<8xf32> {llvm.noalias},
                           %y: memref<8xf32> {llvm.noalias}) {
  // expected-note @below {{'linalg.exp at order-operations-dictated.mlir:52' is here, dictated to place 1}}
  linalg.exp {pebble.order = 1} ins(%w : memref<8xf32>) outs(%y : memref<8xf32>)
  // expected-error @below {{the dictated order breaks the anti-dependence on w: 'linalg.exp at order-operations-dictated.mlir:52' must read w before 'linalg.abs at order-operations-dictated.mlir:55' overwrites it}}
  // expected-note @below {{is here, dictated to place 0}}
  linalg.abs {pebble.order = 0} ins(%x : memref<8xf32>) outs(%w : memref<8xf32>)
  return
}

// -----

func.func @flow_dependence(%x: memref<8xf32> {llvm.noalias}, %y: memref<8xf32> {llvm.noalias, pebble.name = "y"},
                           %z: memref<8xf32> {llvm.noalias}) {
  // expected-note @below {{is here, dictated to place 1}}
  linalg.exp {pebble.order = 1} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  // expected-error @below {{the dictated order breaks the flow dependence on y: 'linalg.exp at order-operations-dictated.mlir:64' must write y before 'linalg.abs at order-operations-dictated.mlir:67' reads it}}
  // expected-note @below {{is here, dictated to place 0}}
  linalg.abs {pebble.order = 0} ins(%y : memref<8xf32>) outs(%z : memref<8xf32>)
  return
}

// -----

func.func @output_dependence(%x: memref<8xf32> {llvm.noalias}, %y: memref<8xf32> {llvm.noalias, pebble.name = "y"}) {
  // expected-note @below {{is here, dictated to place 1}}
  linalg.exp {pebble.order = 1} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  // expected-error @below {{the dictated order breaks the output dependence on y: 'linalg.exp at order-operations-dictated.mlir:75' must write y before 'linalg.abs at order-operations-dictated.mlir:78' writes it again}}
  // expected-note @below {{is here, dictated to place 0}}
  linalg.abs {pebble.order = 0} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// -----

func.func private @f()
func.func private @g()
func.func @effects() {
  // expected-note @below {{'f' is here, dictated to place 1}}
  call @f() {pebble.order = 1} : () -> ()
  // expected-error @below {{the dictated order breaks the order of effects: 'f' must come before 'g'}}
  // expected-note @below {{'g' is here, dictated to place 0}}
  call @g() {pebble.order = 0} : () -> ()
  return
}

// -----

// The hazard goes through an op that nobody dictated.
func.func @through_another_op(%x: memref<8xf32> {llvm.noalias}, %y: memref<8xf32> {llvm.noalias, pebble.name = "y"},
                              %z: memref<8xf32> {llvm.noalias, pebble.name = "z"}, %u: memref<8xf32> {llvm.noalias}) {
  linalg.exp {pebble.order = 1} ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  // expected-note @below {{by the flow dependence on y: 'linalg.exp at order-operations-dictated.mlir:100' must write y before 'linalg.abs at order-operations-dictated.mlir:102' reads it}}
  linalg.abs ins(%y : memref<8xf32>) outs(%z : memref<8xf32>)
  // expected-error @below {{the dictated order puts 'linalg.negf at order-operations-dictated.mlir:105' before 'linalg.exp at order-operations-dictated.mlir:100', on which it depends}}
  // expected-note @below {{by the flow dependence on z: 'linalg.abs at order-operations-dictated.mlir:102' must write z before 'linalg.negf at order-operations-dictated.mlir:105' reads it}}
  linalg.negf {pebble.order = 0} ins(%z : memref<8xf32>) outs(%u : memref<8xf32>)
  return
}

// -----

func.func @one_place_for_two(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-note @below {{is here}}
  %a = linalg.exp {pebble.order = 3} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{two ops claim place 3 of the dictated order}}
  %b = linalg.abs {pebble.order = 3} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @no_place_for_views(%x: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'tensor.extract_slice' has no place of its own in an order}}
  %s = tensor.extract_slice %x[0] [4] [1] {pebble.order = 0} : tensor<8xf32> to tensor<4xf32>
  %v = tensor.extract %s[%c0] : tensor<4xf32>
  return %v : f32
}
