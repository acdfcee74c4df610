// Two functions of one name in two modules are two functions: each has a plan,
// advice and addresses of its own.

// RUN: rm -rf %t && mkdir -p %t/tables
// RUN: pebble-opt %s --pebble-schedule="budget=min save-plan=%t/all.plan" -o %t/first.mlir 2>&1 | FileCheck %s --check-prefix=LINES
// LINES: @long::step: budget 256 B, peak 320 B -> 256 B
// LINES: @short::step: budget 256 B, peak 256 B -> 256 B
// LINES: @#0::step: budget 256 B, peak 256 B -> 256 B
// LINES: @"long::step": budget 128 B, peak 128 B -> 128 B
// RUN: FileCheck %s --check-prefix=PLAN < %t/all.plan
// PLAN-DAG: "function": "short::step"
// PLAN-DAG: "function": "long::step"
// PLAN-DAG: "function": "#0::step"
// PLAN-DAG: "function": "\"long::step\""

// Used again, each goes to its function.
// RUN: pebble-opt %s --pebble-schedule="budget=min plan=%t/all.plan" -o %t/again.mlir
// RUN: grep -v pebble.result %t/first.mlir > %t/first.txt
// RUN: grep -v pebble.result %t/again.mlir | diff - %t/first.txt

// What would do for one is not said of the other.
// RUN: not pebble-opt %s --pebble-schedule="budget-bytes=200" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ADVICE
// ADVICE: error: {{.*}} of the input peak of 256 bytes
// ADVICE: note: the budget is met with pebble-reuse-operands first (192 bytes, 75%), pebble.donated
// ADVICE: error: {{.*}} of the input peak of 320 bytes
// ADVICE: note: the budget is met with pebble-reuse-operands first (192 bytes, 60%), all of these together (128 bytes, 40%); not with {{.*}}pebble.donated
// ADVICE: error: {{.*}} of the input peak of 256 bytes
// ADVICE: note: the budget is not met with

// RUN: pebble-opt %s --pebble-plan-addresses="tables=%t/tables" -o /dev/null
// RUN: ls %t/tables | FileCheck %s --check-prefix=TABLES
// TABLES-DAG: {{^}}long__step.default.csv
// TABLES-DAG: {{^}}short__step.default.csv
// TABLES-DAG: {{^}}_0__step.default.csv
// TABLES-DAG: {{^}}_long__step_.default.csv

// RUN: pebble-report %s --json | FileCheck %s --check-prefix=REPORT
// REPORT-DAG: "short::step": {
// REPORT-DAG: "long::step": {
// REPORT-DAG: "#0::step": {
// REPORT-DAG: "\"long::step\"": {
// RUN: pebble-report %s --function=long::step | FileCheck %s --check-prefix=ONE
// ONE: @long::step: 6 ops
// ONE-NOT: step:

module @short {
  func.func @step(%x: tensor<16xf32>) -> tensor<16xf32> {
    %a = math.sin %x : tensor<16xf32>
    %b = math.cos %x : tensor<16xf32>
    %c = arith.mulf %a, %b : tensor<16xf32>
    return %c : tensor<16xf32>
  }
}
module @long {
  func.func @step(%x: tensor<16xf32>) -> tensor<16xf32> {
    %a = math.sin %x : tensor<16xf32>
    %b = math.cos %a : tensor<16xf32>
    %c = math.exp %b : tensor<16xf32>
    %d = math.tanh %c : tensor<16xf32>
    %e = arith.mulf %b, %d : tensor<16xf32>
    %f = arith.addf %e, %a : tensor<16xf32>
    return %f : tensor<16xf32>
  }
}
module {
  func.func @step(%x: tensor<32xf32>) -> tensor<32xf32> {
    %a = math.sin %x : tensor<32xf32>
    return %a : tensor<32xf32>
  }
}
func.func @"long::step"(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = math.sin %x : tensor<8xf32>
  return %a : tensor<8xf32>
}
