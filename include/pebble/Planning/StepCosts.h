//===- StepCosts.h - what one run of each step costs ------------*- C++ -*-===//
//
// Prices the steps of a block in the unit of an objective, for schedulers that
// may run a step more than once.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_STEPCOSTS_H
#define PEBBLE_PLANNING_STEPCOSTS_H

#include "pebble/Analysis/Traffic.h"

namespace pebble {

enum class ScheduleObjective { Energy, Time, Recompute };
llvm::StringRef toString(ScheduleObjective objective);

/// Cost of one run of each step:
///   energy     femtojoules: its arithmetic, and its accesses as the order that
///              came in has them served
///   time       nanoseconds: its accesses at the latency and bandwidth of the
///              compute tier; `pebble.cost` overrides
///   recompute  OpCost::getWork(): `pebble.cost`, else arithmetic operations,
///              else bytes
/// Costs are cut off at 2^62 / number of steps, so that sums fit.
/// Emits an error and fails if the hierarchy does not say what the objective
/// needs: energies, or the bandwidth of the compute tier where an op has no
/// `pebble.cost`.
llvm::FailureOr<std::vector<int64_t>>
getStepCosts(const StorageAnalysis &storage, ScheduleObjective objective,
             HierarchyAttr hierarchy, CacheModel model);

/// Femtojoules of the block as it stands: all accesses and all arithmetic.
int64_t getBlockEnergy(const StorageAnalysis &storage, HierarchyAttr hierarchy,
                       CacheModel model);

/// Femtojoules that no schedule of the block goes under: every step once, each
/// access served by the cheapest tier.
int64_t getLeastEnergy(const StorageAnalysis &storage, HierarchyAttr hierarchy);

} // namespace pebble

#endif // PEBBLE_PLANNING_STEPCOSTS_H
