//===- CostOpInterface.td - what one run of an op costs ----*- tablegen -*-===//

#ifndef PEBBLE_TARGET_COSTOPINTERFACE_TD
#define PEBBLE_TARGET_COSTOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def Pebble_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::pebble";
  let description = [{
    Says what one run of an operation costs on any machine: arithmetic
    operations and bytes accessed. Ops of upstream dialects have it by external
    models (`pebble::registerCostModels`); a frontend attaches its own to its own
    ops. An op without it costs its bytes, and is reported.

    Callers do not ask the interface, but `pebble::OpCostModel`, which also knows
    `pebble.cost`, calls, and what it has seen before.
  }];
  let methods = [
    InterfaceMethod<[{
        The cost of one run. `model` gives the sizes of shaped types and the
        cost of nested ops.
      }],
      "::pebble::OpCost", "getOpCost", (ins "::pebble::OpCostModel &":$model)>
  ];
}

#endif // PEBBLE_TARGET_COSTOPINTERFACE_TD
