//===- Sweep.h - cost over budget, in pebble-report -------------*- C++ -*-===//

#ifndef PEBBLE_TOOLS_PEBBLE_REPORT_SWEEP_H
#define PEBBLE_TOOLS_PEBBLE_REPORT_SWEEP_H

#include "pebble/Planning/SweepBlock.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pebble {

/// A function and its curve.
struct FunctionSweep {
  std::string name;
  graph::Sweep sweep;
  double seconds = 0;
};

/// Gives every operation of `module` a destination, as planning does, and
/// sweeps each function of one block that `isWanted`. `limits` are for all
/// together. Emits errors for those that cannot be swept, and fails then.
llvm::FailureOr<std::vector<FunctionSweep>>
sweepModule(mlir::ModuleOp module, SweepRequest request,
            llvm::function_ref<std::string(mlir::FunctionOpInterface)> getName);

/// All curves as one object, keyed by function, and as tables.
void printSweepJson(llvm::ArrayRef<FunctionSweep> sweeps);
void printSweepTables(llvm::ArrayRef<FunctionSweep> sweeps);

/// As SVG.
std::string drawSweep(const FunctionSweep &sweep);

} // namespace pebble

#endif // PEBBLE_TOOLS_PEBBLE_REPORT_SWEEP_H
