// How many extents a shape has follows from its operands, so what its tensors take is
// predicted, and can be planned. A division by zero is an error with its place.
// RUN: split-file %s %t
// RUN: pebble-run %t/shapes.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=PEAK
// RUN: %python -c "import numpy; print([numpy.load('%t/out/result%%d.npy' %% i).tolist() for i in range(3)])" | FileCheck %s
// RUN: pebble-opt --quiet %t/shapes.mlir --pebble-schedule=budget=min -o %t/least.mlir
// RUN: pebble-run %t/least.mlir --poison --output-dir=%t/least 2>&1 | FileCheck %s --check-prefix=PEAK
// RUN: %python -c "import numpy; print([numpy.load('%t/least/result%%d.npy' %% i).tolist() for i in range(3)])" | FileCheck %s
// PEAK-NOT: warning
// PEAK: peak in default {{[1-9][0-9]*}} B as predicted
// CHECK: [24, [4, 6], [4, 6, 6]]
// RUN: not pebble-run %t/divide.mlir 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: pebble-opt --quiet %t/divide.mlir --pebble-order-operations -o %t/ordered.mlir
// RUN: not pebble-run %t/ordered.mlir 2>&1 | FileCheck %s --check-prefix=ORDERED
// DIVIDE: error: {{.*}}divide.mlir:3:8: assertion failed: shape.div divides by zero
// ORDERED: error: {{.*}}ordered.mlir:{{[0-9]+:[0-9]+}}: assertion failed: shape.div divides by zero

#--- shapes.mlir
func.func @main(%x: tensor<4x1xf32>, %y: tensor<6xf32>) -> (index, tensor<2xindex>, tensor<3xindex>) {
  %s = shape.shape_of %x : tensor<4x1xf32> -> tensor<2xindex>
  %t = shape.shape_of %y : tensor<6xf32> -> tensor<1xindex>
  %b = shape.broadcast %s, %t : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
  %n = shape.num_elements %b : tensor<2xindex> -> index
  %d = shape.broadcast %s, %t : tensor<2xindex>, tensor<1xindex> -> tensor<?xindex>
  %c = shape.concat %d, %t : tensor<?xindex>, tensor<1xindex> -> tensor<?xindex>
  %f = tensor.cast %c : tensor<?xindex> to tensor<3xindex>
  return %n, %b, %f : index, tensor<2xindex>, tensor<3xindex>
}

#--- divide.mlir
func.func @main(%a: index) -> index {
  %z = arith.subi %a, %a : index
  %q = shape.div %a, %z : index, index -> index
  return %q : index
}
