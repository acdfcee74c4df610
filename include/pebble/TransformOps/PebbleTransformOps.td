//===- PebbleTransformOps.td - plans from transform scripts -----*- tablegen -*-===//
//
// Operations of the transform dialect that order, schedule and checkpoint
// chosen functions.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TRANSFORMOPS_PEBBLETRANSFORMOPS_TD
#define PEBBLE_TRANSFORMOPS_PEBBLETRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class FunctionPassOp<string mnemonic> : Op<Transform_Dialect,
    "pebble." # mnemonic,
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedOptionalAttr<DictionaryAttr, "{}">:$options);
  let results = (outs TransformHandleTypeInterface:$planned);
  let assemblyFormat = [{
    $target (`with` $options^)? attr-dict `:` functional-type(operands, results)
  }];
}

def OrderTransformOp : FunctionPassOp<"order"> {
  let summary = "Put the operations of functions in the best order";
  let description = [{
    Runs `pebble-order-operations` with `options` on the functions of the handle
    and on nothing else: who calls them, and what they call, must be in the
    handle too. The new handle holds the same
    functions. Fails silenceably, with what the pass said, where it finds no
    order; the functions are then as they were.

    ```mlir
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @plan(%functions: !transform.any_op {transform.consumed}) -> !transform.any_op {
        %ordered = transform.pebble.order %functions with {objective = "peak"}
          : (!transform.any_op) -> !transform.any_op
        transform.yield %ordered : !transform.any_op
      }
    }
    ```
  }];
}

def ScheduleTransformOp : FunctionPassOp<"schedule"> {
  let summary = "Fit functions into a budget of bytes";
  let description = [{
    Runs `pebble-schedule` with `options` on the functions of the handle and on
    nothing else: who calls them, and what they call, must be in the handle too.
    Fails silenceably,
    with what the pass said, where nothing fits, so that
    `transform.alternatives` may try a larger budget; the functions are then as
    they were.

    ```mlir
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @plan(%functions: !transform.any_op {transform.consumed}) -> !transform.any_op {
        %planned = transform.pebble.schedule %functions
          with {budget = "60%", means = "both"}
          : (!transform.any_op) -> !transform.any_op
        transform.yield %planned : !transform.any_op
      }
    }
    ```
  }];
}

def CheckpointLoopsTransformOp : FunctionPassOp<"checkpoint_loops"> {
  let summary = "Run the adjoint loops of functions within slots";
  let description = [{
    Runs `pebble-checkpoint-loops` with `options` on the functions of the handle
    and on nothing else: who calls them, and what they call, must be in the
    handle too.

    ```mlir
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @plan(%functions: !transform.any_op {transform.consumed}) -> !transform.any_op {
        %planned = transform.pebble.checkpoint_loops %functions with {slots = 3}
          : (!transform.any_op) -> !transform.any_op
        transform.yield %planned : !transform.any_op
      }
    }
    ```
  }];
}

#endif // PEBBLE_TRANSFORMOPS_PEBBLETRANSFORMOPS_TD
