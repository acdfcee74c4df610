//===- FormPasses.td - passes on derived forms -------------*- tablegen -*-===//
//
// What values may be kept instead of others, as text.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TRANSFORMS_FORMPASSES_TD
#define PEBBLE_TRANSFORMS_FORMPASSES_TD

include "mlir/Pass/PassBase.td"

def PrintFormsPass : Pass<"pebble-print-forms", "::mlir::ModuleOp"> {
  let summary = "Print which values may be kept in a smaller form";
  let description = [{
    Prints, for every function with a body, the values of its first block that
    `pebble-schedule` may keep in a smaller form with `derived-forms`, and what
    the form and the value take, to the standard output. Storages must have been
    decided.

    ```mlir
    // pebble-opt --pebble-materialize-storage --pebble-print-forms
    func.func @clip(%x: tensor<512xf32>, %zero: f32) -> tensor<512xf32> {
      %a = math.exp %x : tensor<512xf32>
      %none = tensor.splat %zero : tensor<512xf32>
      %is = arith.cmpf ogt, %a, %none : tensor<512xf32>
      %b = math.tanh %a : tensor<512xf32>
      %c = math.exp %b : tensor<512xf32>
      %d = math.exp %c : tensor<512xf32>
      %e = arith.select %is, %d, %x : tensor<512xi1>, tensor<512xf32>
      return %e : tensor<512xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // PEBBLE_TRANSFORMS_FORMPASSES_TD
