// A tensor that is cast to one without a rank has its rank and its layout behind the
// cast: it is reshaped, and cast back, as it was. Here it is a slice with gaps.
// RUN: pebble-run %s --output-dir=%t 2>&1 | FileCheck %s --check-prefix=PEAK
// RUN: %python -c "import numpy; print(numpy.load('%t/result0.npy').tolist(), numpy.load('%t/result1.npy').tolist())" | FileCheck %s
// RUN: pebble-opt --quiet %s --pebble-schedule=budget=min -cse -canonicalize -o %t.least.mlir
// RUN: pebble-run %t.least.mlir --poison --output-dir=%t.least 2>&1 | FileCheck %s --check-prefix=PEAK
// RUN: %python -c "import numpy; print(numpy.load('%t.least/result0.npy').tolist(), numpy.load('%t.least/result1.npy').tolist())" | FileCheck %s
// PEAK: peak in default {{[0-9]+}} B as predicted
// CHECK: [4, 6, 8, 10] [7, 1, 1, 5]
func.func @main() -> (tensor<4xi32>, tensor<4xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %four = arith.constant 4 : index
  %seven = arith.constant 7 : i32
  %zero = arith.constant 0 : index
  %x = tensor.generate {
  ^bb0(%i: index, %j: index):
    %m = arith.muli %i, %c2 : index
    %s = arith.muli %m, %c2 : index
    %k = arith.addi %s, %j : index
    %l = arith.index_cast %k : index to i32
    tensor.yield %l : i32
  } : tensor<4x4xi32>
  %s = tensor.extract_slice %x[1, 0] [2, 2] [1, 2] : tensor<4x4xi32> to tensor<2x2xi32>
  %u = tensor.cast %s : tensor<2x2xi32> to tensor<*xi32>
  %shape = tensor.from_elements %four : tensor<1xindex>
  %r = tensor.reshape %u(%shape) : (tensor<*xi32>, tensor<1xindex>) -> tensor<4xi32>
  %row = tensor.extract_slice %x[0, 1] [4, 1] [1, 1] : tensor<4x4xi32> to tensor<4xi32>
  %v = tensor.cast %row : tensor<4xi32> to tensor<*xi32>
  %w = tensor.cast %v : tensor<*xi32> to tensor<?xi32>
  %back = tensor.cast %w : tensor<?xi32> to tensor<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %f = linalg.fill ins(%seven : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %one = tensor.extract %back[%zero] : tensor<4xi32>
  %five = tensor.extract %back[%c1] : tensor<4xi32>
  %a = tensor.insert %one into %f[%c1] : tensor<4xi32>
  %b = tensor.insert %one into %a[%c2] : tensor<4xi32>
  %c3 = arith.constant 3 : index
  %c = tensor.insert %five into %b[%c3] : tensor<4xi32>
  return %r, %c : tensor<4xi32>, tensor<4xi32>
}
