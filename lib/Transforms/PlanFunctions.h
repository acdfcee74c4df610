//===- PlanFunctions.h - plan the functions of a module ---------*- C++ -*-===//
//
// Plans the blocks of each function within its budget, and callees, where need
// be, within what their callers leave; gives buffers their addresses; and says
// of each function what was reached.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_PLANFUNCTIONS_H
#define PEBBLE_LIB_TRANSFORMS_PLANFUNCTIONS_H

#include "PlanBlocks.h"

#include "pebble/Planning/PlanLimits.h"
#include "pebble/Solver/Graph/Budget.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace pebble {

struct FunctionPlanOptions {
  /// None: what the compute tier holds.
  std::optional<graph::Budget> budget;
  /// Without analysis and hierarchy, which functions have their own.
  PlanOptions blocks;
  /// Files of plans to read and to write; empty: none.
  std::string plan, savePlan;
  /// For all together, whatever is planned again.
  graph::Limits limits;
  const PlanScope *scope = nullptr;
};

/// Plans all functions of `module`, whose storages are fixed. Emits errors and
/// fails if some function cannot be planned.
llvm::LogicalResult planFunctions(mlir::ModuleOp module,
                                  const FunctionPlanOptions &options,
                                  ProgramContext &context);

/// By function, as `module` calls it (ProgramNames.h): the least budget for
/// which a plan is found, within the limits of `options` and whatever the
/// compute tier holds. Leaves the functions as they are. Fails where some
/// function cannot be planned.
llvm::FailureOr<llvm::StringMap<int64_t>>
findLeastBudgets(mlir::ModuleOp module, const FunctionPlanOptions &options,
                 ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_PLANFUNCTIONS_H
