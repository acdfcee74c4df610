// A value is called by pebble.name, or as its location says, or as in the file
// that was read, or by its op and line: never by a printer's number.

// RUN: pebble-opt %s --split-input-file --pebble-print-footprint -o %t.printed | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAME --input-file=%t.printed
// RUN: pebble-opt %s --split-input-file --pebble-print-footprint --mlir-print-debuginfo -o %t.located.mlir | FileCheck %s
// RUN: pebble-opt %t.located.mlir --split-input-file --pebble-print-footprint -o /dev/null | FileCheck %s
// RUN: pebble-opt %s --split-input-file --emit-bytecode -o %t.bytes --pebble-schedule="budget-percent=100"
// RUN: pebble-opt %s --split-input-file --pebble-decompose --pebble-schedule="budget-percent=100" --pebble-print-footprint -o /dev/null | FileCheck %s --check-prefix=AFTER

// CHECK-LABEL: footprint of @file_names
// CHECK: step 0 math.exp %hidden:
// CHECK: step 1 test.two %mean:
// CHECK: step 2 arith.addf weighted:
// CHECK: step 3 third layer:
// CHECK: step 4 fourth layer %b:
// CHECK: step 5 fourth layer %c:
// CHECK-NOT: %{{[0-9]+}}
// CHECK-DAG: %x: footprint
// CHECK-DAG: bias: footprint
// CHECK-DAG: %mean: footprint
// CHECK-DAG: %rest#1: footprint
// CHECK-DAG: weighted: footprint
// CHECK-DAG: third layer: footprint
// CHECK-DAG: fourth layer %b: footprint
// CHECK-DAG: fourth layer %c: footprint

// What is printed stays as it is.
// SAME: func.func @file_names(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>
// SAME-NEXT: %0 = math.exp %arg0

// AFTER-LABEL: footprint of @file_names
// AFTER: step 0 linalg.generic %hidden:
// AFTER: %x: footprint
// AFTER: %hidden: footprint
func.func @file_names(%x: tensor<16xf32>, %y: tensor<16xf32> loc("bias")) -> (tensor<16xf32>, tensor<16xf32>) {
  %hidden = math.exp %x : tensor<16xf32>
  %mean, %rest:2 = "test.two"(%hidden) : (tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
  %s = arith.addf %mean, %rest#1 {pebble.name = "weighted"} : tensor<16xf32>
  %a = arith.addf %s, %y : tensor<16xf32> loc("third layer")
  %b = math.exp %a : tensor<16xf32> loc("fourth layer")
  %c = math.exp %b : tensor<16xf32> loc("fourth layer")
  return %c, %s : tensor<16xf32>, tensor<16xf32>
}

// -----

// Each part of a file has names of its own.

// CHECK-LABEL: footprint of @second_part
// CHECK: step 0 math.exp %hidden:
// CHECK: step 1 linalg.fill at values-are-called-as-in-the-file.mlir:[[@LINE+5]]:
// CHECK: %memory: footprint
func.func @second_part(%x: tensor<16xf32>, %v: f32) -> tensor<16xf32> {
  %hidden = math.exp %x : tensor<16xf32>
  %memory = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%memory : memref<16xf32>)
  memref.dealloc %memory : memref<16xf32>
  return %hidden : tensor<16xf32>
}
