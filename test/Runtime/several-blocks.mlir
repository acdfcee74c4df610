// Functions of several blocks run: what is freed where is up to the way that is
// taken. No more is live than what is predicted, and the report says that this
// is a bound.

// RUN: split-file %s %t
// RUN: pebble-run %t/branch.mlir --poison --json=%t/branch.json --output-dir=%t/branch
// RUN: FileCheck %s --check-prefix=BOUND < %t/branch.json
// RUN: %python %S/Inputs/npy.py show %t/branch/result0.npy | FileCheck %s --check-prefix=BRANCH
// RUN: pebble-run %t/loop.mlir --poison --json=%t/loop.json --output-dir=%t/loop
// RUN: FileCheck %s --check-prefix=BOUND < %t/loop.json
// RUN: %python %S/Inputs/npy.py show %t/loop/result0.npy | FileCheck %s --check-prefix=LOOP
// RUN: pebble-run %t/tensors.mlir --poison --json=%t/tensors.json --output-dir=%t/tensors
// RUN: FileCheck %s --check-prefix=BOUND < %t/tensors.json
// RUN: %python %S/Inputs/npy.py show %t/tensors/result0.npy | FileCheck %s --check-prefix=TENSORS
// RUN: %python %S/Inputs/bounded.py %t/branch.json %t/loop.json %t/tensors.json

// BOUND: "predicted_is_bound": true
// BRANCH: f4 (4,) [3.0, 3.0, 3.0, 3.0]
// LOOP: f4 (4,) [5.0, 5.0, 5.0, 5.0]
// TENSORS: f4 (4,) [6.0, 6.0, 6.0, 6.0]

//--- branch.mlir
// One way makes a buffer that the other has not, and both need that of before.
func.func @main(%x: tensor<4xf32>) -> memref<4xf32> {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %big = arith.constant 7.0 : f32
  %before = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%before : memref<4xf32>)
  %v = tensor.extract %x[%c0] : tensor<4xf32>
  %c = arith.cmpf olt, %v, %big : f32
  cf.cond_br %c, ^then, ^else
^then:
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%two : f32) outs(%a : memref<4xf32>)
  cf.br ^more
^more:
  linalg.add ins(%a, %before : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  cf.br ^join(%a : memref<4xf32>)
^else:
  cf.br ^join(%before : memref<4xf32>)
^join(%r: memref<4xf32>):
  return %r : memref<4xf32>
}
//--- loop.mlir
// A loop of blocks makes a buffer in each turn, and hands it to the next.
func.func @main() -> memref<4xf32> {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %first = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%first : memref<4xf32>)
  cf.br ^head(%c0, %first : index, memref<4xf32>)
^head(%i: index, %x: memref<4xf32>):
  %more = arith.cmpi slt, %i, %c4 : index
  cf.cond_br %more, ^body, ^done
^body:
  %ones = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%ones : memref<4xf32>)
  %next = memref.alloc() : memref<4xf32>
  linalg.add ins(%x, %ones : memref<4xf32>, memref<4xf32>) outs(%next : memref<4xf32>)
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %next : index, memref<4xf32>)
^done:
  return %x : memref<4xf32>
}
//--- tensors.mlir
// The same on tensors, with a way out in the middle.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %limit = arith.constant 5.5 : f32
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^head(%start : tensor<4xf32>)
^head(%t: tensor<4xf32>):
  %e1 = tensor.empty() : tensor<4xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %next = linalg.add ins(%t, %ones : tensor<4xf32>, tensor<4xf32>) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.extract %next[%c0] : tensor<4xf32>
  %done = arith.cmpf ogt, %v, %limit : f32
  cf.cond_br %done, ^out, ^head(%next : tensor<4xf32>)
^out:
  return %next : tensor<4xf32>
}
