//===- Passes.td - Pebble's passes -------------------------*- tablegen -*-===//
//
// Options are enums and numbers, kebab-case, with the unit in the name.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TRANSFORMS_PASSES_TD
#define PEBBLE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTargetPass : Pass<"pebble-attach-target", "::mlir::ModuleOp"> {
  let summary = "Put the memory hierarchy of a known machine on the module";
  let description = [{
    Sets `pebble.hierarchy` on the module to the hierarchy of `preset`, in place
    of one that may stand there. docs/Targets.md lists the presets and where
    their figures come from. `pebble-opt --pebble-target=NAME` runs this pass
    before all others.

    ```mlir
    // pebble-opt --pebble-attach-target="preset=red-blue"
    module attributes {pebble.hierarchy = #pebble.hierarchy<[
      <"red", kind = explicit, read = 1, write = 1>,
      <"blue", kind = explicit, read = 100, write = 100>
    ], name = "red-blue">} {}
    ```
  }];
  let options = [
    Option<"preset", "preset", "std::string", /*default=*/"",
           "Name of the machine">
  ];
  let dependentDialects = ["::pebble::PebbleDialect"];
}

#endif // PEBBLE_TRANSFORMS_PASSES_TD
