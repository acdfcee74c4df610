// A function that is for another machine is told by its name; LLVM would end
// the process.

// RUN: split-file %s %t
// RUN: not pebble-run %t/cpu.mlir 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not pebble-run %t/feature.mlir 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: pebble-run %t/none.mlir

// CPU: cpu.mlir:1:{{.*}} error: cannot run function 'main': target CPU 'sm_60' is none of this machine's
// FEATURE: feature.mlir:1:{{.*}} error: cannot run function 'main': target feature '+ptx85' is none of this machine's

//--- cpu.mlir
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> attributes {target_cpu = "sm_60", target_features = #llvm.target_features<["+ptx85", "+sm_60"]>} {
  return %x : tensor<16xf32>
}
//--- feature.mlir
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> attributes {target_features = #llvm.target_features<["+ptx85"]>} {
  return %x : tensor<16xf32>
}
//--- none.mlir
// Who is not run may be for whom it likes.
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  return %x : tensor<16xf32>
}
func.func @other(%x: tensor<16xf32>) -> tensor<16xf32> attributes {target_cpu = "sm_60"} {
  return %x : tensor<16xf32>
}
