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

#include "pebble/Planning/RemarkQueue.h"
#include "pebble/Planning/SavedPlan.h"

namespace pebble {

struct FunctionTask {
  PlanOptions blocks;
  /// What was asked for; what is tried may be less. Where the least is asked
  /// for, what is inside of ops has to take the least as well.
  ExtentTry asked;
  /// What the function took as it came in; errors name percents of it.
  int64_t inputPeak = 0;
  /// Bytes that slower tiers hold besides.
  std::map<std::string, int64_t> slowTaken;
  /// Nothing that the function calls can take less.
  bool calleesAreLeast = true;
  /// Of earlier runs; null: none.
  const PlanFile *plans = nullptr;
};

struct PlannedFunction {
  ScheduleOutcome outcome;
  /// What a file keeps of each block.
  std::vector<SavedPlan> kept;
  /// What there is to say of it.
  RemarkQueue::Remarks remarks;
};

/// Plans the blocks of `function`, and its addresses, as bindExtent does.
/// `scope`, where there is one, hears of each time. In `remarks` is then what
/// was said of the plan that stands.
llvm::FailureOr<PlannedFunction>
planFunctionInExtent(mlir::FunctionOpInterface function,
                     const FunctionTask &task, const ExtentRequest &request,
                     const PlanScope *scope, RemarkQueue &remarks);

/// Plans each block of `function` for `task`, less what is live around it.
/// `plans` and `kept` may be null.
llvm::LogicalResult
planAllBlocks(mlir::FunctionOpInterface function, const BlockTask &task,
              const PlanOptions &options, const PlanFile *plans,
              ScheduleOutcome &outcome, std::vector<SavedPlan> *kept = nullptr);

/// What every step of all blocks of `function` costs once.
llvm::FailureOr<int64_t> getCostOnce(mlir::FunctionOpInterface function,
                                     const PlanOptions &options);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_FUNCTIONBLOCKS_H
