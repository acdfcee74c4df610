//===- InvertibleOpInterface.td - what can be undone -------*- tablegen -*-===//

#ifndef PEBBLE_TARGET_INVERTIBLEOPINTERFACE_TD
#define PEBBLE_TARGET_INVERTIBLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def Pebble_InvertibleOpInterface : OpInterface<"InvertibleOpInterface"> {
  let cppNamespace = "::pebble";
  let description = [{
    Says which operands of an operation follow from its results and its other
    operands, and how exactly. Upstream operations have it by external models
    (`pebble::registerInverseModels`): additions, subtractions and exclusive
    ors of integers, multiplications by odd constants, negations, widenings and
    bit casts of `arith`; structured operations of `linalg` that move elements,
    or whose payload is made of such operations; calls of functions with
    `pebble.inverse`. A frontend attaches its own to its own ops.

    What the inverse costs, its cost model says (`CostOpInterface`).

    Callers do not ask the interface, but `pebble::getInversion` and
    `pebble::buildInverse`, which also know whether the module allows rounding.
    The answers are believed: `pebble-run --check-inverses` runs each operation
    and its inverse, and compares.
  }];
  let methods = [
    InterfaceMethod<[{
        How exactly `operand`, one of this operation's, follows from the results
        and the other operands.
      }],
      "::pebble::Inversion", "getInversion", (ins "::mlir::OpOperand &":$operand)>,
    InterfaceMethod<[{
        Writes one operation that computes `operand` (and its destination, if it
        has one) where `builder` is, and returns its result. It reads `results`,
        which stand for the results of this operation, and other operands. It
        does not read `operand`, and has no effects. Asked only where
        `getInversion` says that there is one.
      }],
      "::mlir::Value", "buildInverse",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::OpOperand &":$operand, "::mlir::ValueRange":$results)>
  ];
}

#endif // PEBBLE_TARGET_INVERTIBLEOPINTERFACE_TD
