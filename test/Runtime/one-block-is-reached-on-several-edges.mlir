// One operation may jump to the same block with different tensors, and a region
// that is executed in place may end in several places. Each way hands on its own.

// RUN: split-file %s %t
// RUN: sed s/KEY/3/ %t/switch.mlir > %t/three.mlir
// RUN: sed s/KEY/1/ %t/switch.mlir > %t/one.mlir
// RUN: sed s/KEY/5/ %t/switch.mlir > %t/other.mlir
// RUN: pebble-run %t/three.mlir --poison --output-dir=%t/three
// RUN: pebble-run %t/one.mlir --poison --output-dir=%t/one
// RUN: pebble-run %t/other.mlir --poison --output-dir=%t/other
// RUN: %python %S/Inputs/npy.py show %t/three/result0.npy | FileCheck %s --check-prefix=THREE
// RUN: %python %S/Inputs/npy.py show %t/one/result0.npy | FileCheck %s --check-prefix=ONE
// RUN: %python %S/Inputs/npy.py show %t/other/result0.npy | FileCheck %s --check-prefix=OTHER
// THREE: i4 (4,) [4, 4, 4, 4]
// ONE: i4 (4,) [2, 2, 2, 2]
// OTHER: i4 (4,) [8, 8, 8, 8]

// RUN: sed s/KEY/false/ %t/region.mlir > %t/no.mlir
// RUN: sed s/KEY/true/ %t/region.mlir > %t/yes.mlir
// RUN: pebble-run %t/no.mlir --poison --output-dir=%t/no
// RUN: pebble-run %t/yes.mlir --poison --output-dir=%t/yes
// RUN: %python %S/Inputs/npy.py show %t/no/result0.npy | FileCheck %s --check-prefix=NO
// RUN: %python %S/Inputs/npy.py show %t/yes/result0.npy | FileCheck %s --check-prefix=YES
// RUN: pebble-opt %t/no.mlir --pebble-schedule=budget-percent=100 -o %t/planned.mlir
// RUN: pebble-run %t/planned.mlir --poison --output-dir=%t/planned
// RUN: %python %S/Inputs/npy.py show %t/planned/result0.npy | FileCheck %s --check-prefix=NO
// NO: i4 (4,) [4, 4, 4, 4]
// YES: i4 (4,) [8, 8, 8, 8]

//--- switch.mlir
func.func @main(%t: tensor<4xi32> {pebble.range = [2, 3]}) -> tensor<4xi32> {
  %key = arith.constant KEY : i32
  %a = arith.addi %t, %t : tensor<4xi32>
  cf.switch %key : i32, [
    default: ^product(%a : tensor<4xi32>),
    3: ^product(%t : tensor<4xi32>),
    1: ^difference
  ]
^product(%u: tensor<4xi32>):
  %b = arith.muli %u, %t : tensor<4xi32>
  cf.br ^end(%b : tensor<4xi32>)
^difference:
  %c = arith.subi %a, %t : tensor<4xi32>
  cf.br ^end(%c : tensor<4xi32>)
^end(%r: tensor<4xi32>):
  return %r : tensor<4xi32>
}
//--- region.mlir
func.func @main(%t: tensor<4xi32> {pebble.range = [2, 3]}) -> tensor<4xi32> {
  %key = arith.constant KEY
  %r = scf.execute_region -> tensor<4xi32> {
    cf.cond_br %key, ^sum, ^same
  ^sum:
    %u = arith.addi %t, %t : tensor<4xi32>
    scf.yield %u : tensor<4xi32>
  ^same:
    scf.yield %t : tensor<4xi32>
  }
  %s = arith.muli %r, %t : tensor<4xi32>
  return %s : tensor<4xi32>
}
