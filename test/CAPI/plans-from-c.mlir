// A frontend in C plans, reads the plan, lowers, and hears of errors. What fails
// leaves the module as it was.
// RUN: %pebble_build/test/bin/pebble-capi-plan %s 60%% | FileCheck %s
// CHECK: again: no plan
// CHECK-NEXT: planned: 1
// CHECK-NEXT: again: peak 32896 -> 16512, extent 16512, cost 99008 of 82560 once, optimal, kept 2, again 1, moved 0 (0 bytes)
// CHECK-NEXT: heard: {{.*}}'pebble-nonsense' does not refer to a registered pass or pass pipeline
// CHECK: unknown pass ran: 0, lowered: 1
// CHECK: llvm.func @again(
// CHECK: diagnostics: 1
// RUN: not %pebble_build/test/bin/pebble-capi-plan %s 1KiB | FileCheck %s --check-prefix=SMALL
// SMALL: heard: no schedule fits in the budget of 1024 bytes; the smallest feasible budget is 16512 bytes (proven)
// SMALL-NEXT: planned: 0
// SMALL-NEXT: again: no plan
// SMALL: unknown pass ran: 0, lowered: 1
// SMALL-NEXT: diagnostics: 2
// RUN: echo 'func.func @f(' > %t.mlir
// RUN: not %pebble_build/test/bin/pebble-capi-plan %t.mlir 60%% | FileCheck %s --check-prefix=PARSE
// PARSE: heard: expected
// PARSE-NEXT: diagnostics: 1

func.func @again(%x: tensor<16xf32>) -> tensor<16xf32> {
  %w = tensor.empty() : tensor<256x16xf32>
  %n = tensor.empty() : tensor<16xf32>
  %wide = linalg.broadcast ins(%x : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %a = linalg.reduce {arith.addf} ins(%wide : tensor<256x16xf32>) outs(%x : tensor<16xf32>) dimensions = [0]
  %other = linalg.broadcast ins(%a : tensor<16xf32>) outs(%w : tensor<256x16xf32>) dimensions = [0]
  %b = linalg.reduce {arith.mulf} ins(%other : tensor<256x16xf32>) outs(%a : tensor<16xf32>) dimensions = [0]
  %c = linalg.reduce {arith.maximumf} ins(%wide : tensor<256x16xf32>) outs(%b : tensor<16xf32>) dimensions = [0]
  return %c : tensor<16xf32>
}
