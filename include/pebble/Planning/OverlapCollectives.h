//===- OverlapCollectives.h - start early, wait late ------------*- C++ -*-===//
//
// Lets what ranks do together run beside the steps of a block that is planned:
// asks the timeline (Solver/Timeline/Collectives.h) when each starts and is
// waited for, and writes that down. All ranks run one plan, so they start in
// one order.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_OVERLAPCOLLECTIVES_H
#define PEBBLE_PLANNING_OVERLAPCOLLECTIVES_H

#include "pebble/Planning/StepCosts.h"

namespace pebble {

struct OverlapRequest {
  HierarchyAttr hierarchy;
  CacheModel cacheModel = CacheModel::Lru;
  /// Of the compute tier, arguments included.
  int64_t budget = 0;
};

/// What the clock says, in nanoseconds.
struct OverlappedTimes {
  /// Of all collectives that may run beside steps.
  int64_t sending = 0;
  /// Of them, those that nobody waits for.
  int64_t hidden = 0;
  /// By how much the block ends earlier: no more than that where transfers
  /// between tiers were hidden behind collectives that were waited for.
  int64_t saved = 0;
  /// Something stands elsewhere now.
  bool isChanged = false;
};

/// Makes starts and waits of the collectives of a function's only block, where
/// that makes it faster within the budget. Collectives that some ranks may not
/// come to stay as they are: in a function that is called in a branch, say.
/// Does nothing without a topology. The caller proves that it is the same
/// program. Emits an error and fails as getStepCosts() does.
llvm::FailureOr<OverlappedTimes>
overlapCollectives(mlir::Block &block, ProgramContext &context,
                   const OverlapRequest &request);

/// Does the same in the bodies of loops of the block that run as often on all
/// ranks, within what the block leaves of the budget there. What starts in a
/// round is waited for in it. Proves that each body computes what it did. True
/// if something stands elsewhere than before.
llvm::FailureOr<bool> overlapInLoops(mlir::Block &block,
                                     ProgramContext &context,
                                     const OverlapRequest &request);

} // namespace pebble

#endif // PEBBLE_PLANNING_OVERLAPCOLLECTIVES_H
