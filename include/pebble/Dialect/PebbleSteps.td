//===- PebbleSteps.td - one step of a plan -----------------*- tablegen -*-===//
//
// The op that says that several operations are one step: a backend runs them
// together and materialises no more than what the step yields. Rules D51 to D54
// of docs/PebbleGame.md.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_DIALECT_PEBBLESTEPS_TD
#define PEBBLE_DIALECT_PEBBLESTEPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "pebble/Dialect/PebbleDialect.td"

def Pebble_StepOp : Op<Pebble_Dialect, "step", [
    IsolatedFromAbove, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "Operations that a backend runs as one";
  let description = [{
    Computes its results from its inputs by the operations of its block, which
    are one step of every schedule. Only what it takes and what it yields is in
    memory around it. `scratch` is what the backend needs beside that while it
    runs, in bytes.

    `overwrites` has a number for each result: the input whose buffer the
    result takes, or -1. It takes that buffer where nobody needs the input any
    more, and a buffer of its own elsewhere.

    `pebble-group-steps` makes steps, and `pebble-to-stablehlo` opens them.

    ```mlir
    func.func @update(%w: tensor<8xf32> {pebble.donated}, %g: tensor<8xf32>) -> tensor<8xf32> {
      %next = pebble.step %w, %g {overwrites = array<i64: 0>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
      ^bb0(%old: tensor<8xf32>, %gradient: tensor<8xf32>):
        %new = arith.subf %old, %gradient : tensor<8xf32>
        pebble.yield %new : tensor<8xf32>
      }
      return %next : tensor<8xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs,
                       OptionalAttr<I64Attr>:$scratch,
                       OptionalAttr<DenseI64ArrayAttr>:$overwrites);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($inputs^)? attr-dict `:` functional-type($inputs, $results) $body
  }];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// The input whose buffer `result` may take; null if none.
    ::mlir::OpOperand *getOverwritten(::mlir::OpResult result);
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // PEBBLE_DIALECT_PEBBLESTEPS_TD
