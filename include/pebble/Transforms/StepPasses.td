//===- StepPasses.td - passes on what a backend runs -------*- tablegen -*-===//

#ifndef PEBBLE_TRANSFORMS_STEPPASSES_TD
#define PEBBLE_TRANSFORMS_STEPPASSES_TD

include "mlir/Pass/PassBase.td"

def GroupStepsPass : Pass<"pebble-group-steps", "::mlir::ModuleOp"> {
  let summary = "Make steps of the operations that a backend runs as one";
  let description = [{
    A compiler that fuses puts only some results into memory. This pass puts the
    operations of each function into `pebble.step` operations, one for each
    result that `backend` materialises, together with the cheap operations that
    it computes on the way. What `pebble-schedule` then plans is what the backend
    has in memory. docs/Jax.md says what is kept, and `pebble-to-stablehlo` is
    the way back.

    Calls are opened first, and private functions that nobody calls any more
    erased. Barriers at the top level (`stablehlo.optimization_barrier`) are
    taken away: the plan decides what is kept apart. An operation with effects is
    a step by itself, with a remark that names it.

    With `place-results`, each result that no donated argument makes room for has
    an argument to lie in (`pebble.result_place`). So it is counted from the
    start, as XLA does. `pebble-to-stablehlo` takes such arguments away again.
    Where the step that makes a result works in place, what it overwrites lies
    there too, back to the step that made it.

    An argument that is not donated and that a step works in place in is copied.
    Where other steps read it too, the copy is a step by itself, before the first
    of them, and all read the copy.

    `scratch` names a file of what the backend needs inside of steps: a JSON
    object, bytes by the digest of a step: the temporaries of the function that
    `pebble-steps-to-functions` makes of it. A step that the file does not name
    needs what the blocks inside of its loops take.

    ```mlir
    // pebble-opt --pebble-group-steps="backend=xla-cpu"
    func.func @layer(%w: tensor<8x8xf32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %1 = "stablehlo.tanh"(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
      return %1 : tensor<8x8xf32>
    }
    ```
  }];
  let options = [
    Option<"backend", "backend", "std::string", /*default=*/"\"xla-cpu\"",
           "Whose rules say what is in memory: a name, or a file of rules">,
    Option<"scratch", "scratch", "std::string", /*default=*/"",
           "File of the bytes that steps need inside, by digest">,
    Option<"placeResults", "place-results", "bool", /*default=*/"false",
           "Count results from the start, unless they replace a donated argument">,
    ListOption<"pure", "pure", "std::string",
               "Unregistered dialects, operations or custom calls that are free "
               "of effects">
  ];
  let dependentDialects = ["::pebble::PebbleDialect"];
}

#endif // PEBBLE_TRANSFORMS_STEPPASSES_TD
