// RUN: split-file %s %t
// RUN: pebble-opt %t/stay.mlir --allow-unregistered-dialect --pebble-checkpoint-calls=mode=joint --remarks-filter-missed=pebble-checkpoint-calls -o %t/out.mlir 2>&1 | FileCheck %s
// RUN: pebble-opt %t/stay.mlir --allow-unregistered-dialect -o %t/was.mlir && diff %t/was.mlir %t/out.mlir
// RUN: not pebble-opt %t/named.mlir 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not pebble-opt %t/count.mlir 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not pebble-opt %t/asked.mlir --allow-unregistered-dialect --pebble-checkpoint-calls=budget=min 2>&1 | FileCheck %s --check-prefix=ASKED

// A tape that others see, and none at all; and a branch that
// must run once keeps its tape. Such a program stays as it came.
// CHECK-DAG: stay.mlir:2:12: remark: {{.*}}'scf.if' keeps its tape: its tape does not go to one adjoint and nowhere else
// CHECK-DAG: stay.mlir:10:12: remark: {{.*}}'scf.if' keeps its tape: it hands out no tape
// NAMED: error: [D55] 'pebble.adjoint' on an operation must be {results = n}, n (i64) no more than it has
// ASKED: asked.mlir:2:12: error: 'pebble.call_mode' asks for a second run, and 'any.rng' is not registered and may have any effect in '@main.if'

//--- stay.mlir
func.func @main(%x: tensor<4xf32>, %go: i1) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %y, %t = scf.if %go -> (tensor<4xf32>, tensor<4xf32>) {
    %a = math.sin %x : tensor<4xf32>
    %c = math.cos %x : tensor<4xf32>
    scf.yield %a, %c : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  } {pebble.adjoint = {results = 1 : i64}}
  %e = arith.mulf %y, %t : tensor<4xf32>
  %z, %u = scf.if %go -> (tensor<4xf32>, tensor<4xf32>) {
    %a = math.sin %y : tensor<4xf32>
    scf.yield %a, %y : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %y, %y : tensor<4xf32>, tensor<4xf32>
  } {pebble.adjoint = {results = 1 : i64}}
  return %e, %t, %z : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

//--- named.mlir
func.func @main(%x: tensor<4xf32>, %go: i1) -> tensor<4xf32> {
  %y = scf.if %go -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {pebble.adjoint = {backward = @main, results = 1 : i64}}
  return %y : tensor<4xf32>
}

//--- count.mlir
func.func @main(%x: tensor<4xf32>, %go: i1) -> tensor<4xf32> {
  %y = scf.if %go -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {pebble.adjoint = {results = 2 : i64}}
  return %y : tensor<4xf32>
}

//--- asked.mlir
func.func @main(%x: tensor<4xf32>, %go: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %t = scf.if %go -> (tensor<4xf32>, tensor<4xf32>) {
    %a = "any.rng"() : () -> tensor<4xf32>
    scf.yield %a, %x : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  } {pebble.adjoint = {results = 1 : i64}, pebble.call_mode = "joint"}
  %e = arith.mulf %y, %t : tensor<4xf32>
  return %y, %e : tensor<4xf32>, tensor<4xf32>
}
