//===- SweepBlock.h - cost over budget, for one block -----------*- C++ -*-===//
//
// Asks for the least cost of a block at budgets from the least that is found to
// do up to the peak of the order that came in, where operations may run again.
// Changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_SWEEPBLOCK_H
#define PEBBLE_PLANNING_SWEEPBLOCK_H

#include "pebble/Analysis/DependenceGraph.h"
#include "pebble/Planning/StepCosts.h"
#include "pebble/Solver/Portfolio/Sweep.h"

namespace pebble {

struct SweepRequest {
  ScheduleObjective objective = ScheduleObjective::Recompute;
  CacheModel cacheModel = CacheModel::Lru;
  /// Null: one tier without a limit.
  HierarchyAttr hierarchy;
  /// At most.
  size_t points = 40;
  uint64_t seed = 0;
  /// For all points together.
  graph::Limits limits;
};

/// The curve of the block of `dependences`: budgets are live bytes as the block
/// counts them, costs in the unit of the objective, and each schedule is judged
/// step by step. Moves are left out. Emits an error and fails if some cost is
/// not known, if no solver takes the block, or if a judge disagrees with one.
llvm::FailureOr<graph::Sweep> sweepBlock(const DependenceGraph &dependences,
                                         const SweepRequest &request);

} // namespace pebble

#endif // PEBBLE_PLANNING_SWEEPBLOCK_H
