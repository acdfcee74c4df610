// RUN: split-file %s %t
// RUN: not pebble-opt %t/plain.mlir --pebble-group-steps="backend=abacus" 2>&1 | FileCheck %s --check-prefix=BACKEND
// RUN: not pebble-opt %t/recursive.mlir --pebble-group-steps 2>&1 | FileCheck %s --check-prefix=RECURSIVE
// RUN: not pebble-opt %t/blocks.mlir --pebble-group-steps 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not pebble-opt %t/plain.mlir --pebble-group-steps --pebble-group-steps 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not pebble-opt %t/plain.mlir --pebble-group-steps="scratch=%t/none.json" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not pebble-opt %t/plain.mlir --pebble-group-steps="scratch=%t/list.json" 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not pebble-opt %t/plain.mlir --pebble-group-steps="scratch=%t/negative.json" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not pebble-opt %t/pretty.mlir --pebble-group-steps 2>&1 | FileCheck %s --check-prefix=PRETTY
// RUN: not pebble-report %t/pretty.mlir 2>&1 | FileCheck %s --check-prefix=PRETTY
// RUN: not pebble-opt %t/broken.mlir 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: pebble-opt %t/effects.mlir --pebble-group-steps -o /dev/null 2>&1 | FileCheck %s --check-prefix=EFFECTS

// BACKEND: error: no backend 'abacus' is known, and no file can be read by this name: there are xla-cpu, xla-cpu-early, xla-gpu
// RECURSIVE: recursive.mlir:2:{{.*}}: error: {{.*}}a recursive call cannot be planned
// BLOCKS: blocks.mlir:1:{{.*}}: error: {{.*}}only functions of one block have steps
// TWICE: error: {{.*}}the function has been grouped or planned already
// NONE: error: cannot read {{.*}}none.json: No such file or directory
// LIST: error: {{.*}}list.json: not an object of bytes by digest
// NEGATIVE: error: {{.*}}negative.json: 'abc' has no number of bytes
// PRETTY: note: line 3 has 'stablehlo.add' in its pretty form, which only StableHLO itself can read; print the generic form, in Python by module.operation.get_asm(print_generic_op_form=True)
// BROKEN-NOT: pretty form
// EFFECTS: effects.mlir:2:{{.*}}: remark: 'stablehlo.custom_call' calls 'mine', which nobody declared free of effects; it runs once, and keeps its place among such steps

//--- plain.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- recursive.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- blocks.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}
//--- list.json
[1, 2]
//--- negative.json
{"abc": -1}
//--- pretty.mlir
// Not this: %0 = stablehlo.negate
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- broken.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // stablehlo.add is mentioned only
  %0 = "stablehlo.add"(%x, %y) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
//--- effects.mlir
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "mine"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
