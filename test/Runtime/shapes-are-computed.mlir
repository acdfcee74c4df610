// Operations of the shape dialect run as those on tensors of sizes that upstream
// writes for them. What is assumed of shapes is asserted.

// RUN: pebble-run %s --output-dir=%t
// RUN: %python -c "import sys; d = open(sys.argv[1], 'rb').read(); assert int.from_bytes(d[-8:], 'little') == 6, d" %t/result0.npy
// RUN: pebble-opt %s --pebble-schedule=budget=min -o %t.mlir
// RUN: pebble-run %t.mlir
// RUN: pebble-opt %s --pebble-decompose | FileCheck %s
// RUN: not pebble-run %s --entry=unlike 2>&1 | FileCheck %s --check-prefix=UNLIKE

// CHECK-LABEL: func.func @main
// CHECK-NOT: shape.
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (index, tensor<2x3xf32>, index) {
  %s = shape.shape_of %x : tensor<2x3xf32> -> tensor<2xindex>
  %t = shape.shape_of %y : tensor<3xf32> -> tensor<1xindex>
  %count = shape.num_elements %s : tensor<2xindex> -> index
  %one = arith.constant 1 : index
  %extent = shape.get_extent %s, %one : tensor<2xindex>, index -> index
  %like = shape.cstr_broadcastable %s, %t : tensor<2xindex>, tensor<1xindex>
  %same = shape.cstr_eq %s, %s : tensor<2xindex>, tensor<2xindex>
  %both = shape.assuming_all %like, %same
  %z = shape.assuming %both -> tensor<2x3xf32> {
    %e = math.exp %x : tensor<2x3xf32>
    shape.assuming_yield %e : tensor<2x3xf32>
  }
  return %count, %z, %extent : index, tensor<2x3xf32>, index
}

// CHECK-LABEL: func.func @unlike
// CHECK: cf.assert
// UNLIKE: shapes-are-computed.mlir:[[#@LINE + 4]]:{{[0-9]+}}: assertion failed
func.func @unlike(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x3xf32> {
  %s = shape.shape_of %x : tensor<2x3xf32> -> tensor<2xindex>
  %t = shape.shape_of %y : tensor<3x2xf32> -> tensor<2xindex>
  %like = shape.cstr_eq %s, %t : tensor<2xindex>, tensor<2xindex>
  %z = shape.assuming %like -> tensor<2x3xf32> {
    %e = math.exp %x : tensor<2x3xf32>
    shape.assuming_yield %e : tensor<2x3xf32>
  }
  return %z : tensor<2x3xf32>
}
