//===- FunctionBlocks.h - plan the blocks of a function ---------*- C++ -*-===//
//
// Plans each block of a function for what the buffers around it leave. What
// stands inside of ops is ordered for its peak first; if that does not do, it
// is planned as well.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_FUNCTIONBLOCKS_H
#define PEBBLE_LIB_TRANSFORMS_FUNCTIONBLOCKS_H

#include "BindExtent.h"
#include "PlanBlocks.h"

#include "pebble/Planning/SavedPlan.h"

namespace pebble {

struct FunctionTask {
  PlanOptions blocks;
  /// What was asked for; what is tried may be less. Where the least is asked
  /// for, what is inside of ops has to take the least as well.
  ExtentTry asked;
  /// Bytes that slower tiers hold besides.
  std::map<std::string, int64_t> slowTaken;
  /// Nothing that the function calls can take less.
  bool calleesAreLeast = true;
  /// Of earlier runs; null: none.
  const PlanFile *plans = nullptr;
};

/// Plans the blocks of `function` for `next`. The second time the budget is no
/// smaller than what is asked for, and what was proven for it (`outcome`)
/// holds. `kept` is what a file keeps of each block.
llvm::LogicalResult planFunctionBlocks(mlir::FunctionOpInterface function,
                                       const FunctionTask &task,
                                       const ExtentTry &next,
                                       ScheduleOutcome &outcome,
                                       std::vector<SavedPlan> &kept);

/// Plans each block of `function` for `task`, less what is live around it.
/// `plans` and `kept` may be null.
llvm::LogicalResult
planAllBlocks(mlir::FunctionOpInterface function, const BlockTask &task,
              const PlanOptions &options, const PlanFile *plans,
              ScheduleOutcome &outcome, std::vector<SavedPlan> *kept = nullptr);

/// Puts `function` back as `original` was.
void putBack(mlir::FunctionOpInterface function, mlir::Operation *original);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_FUNCTIONBLOCKS_H
