//===- StepCosts.h - what one run of each step costs ------------*- C++ -*-===//
//
// Prices the steps of a block, and the transfers of its contents, in the unit
// of an objective, for schedulers that may run a step more than once and move
// values between tiers.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_STEPCOSTS_H
#define PEBBLE_PLANNING_STEPCOSTS_H

#include "pebble/Analysis/Traffic.h"
#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Target/CostProfile.h"

namespace pebble {

enum class ScheduleObjective { Energy, Time, Recompute };
llvm::StringRef toString(ScheduleObjective objective);

/// Cost of one run of each step:
///   energy     femtojoules: its arithmetic, and its accesses as the order that
///              came in has them served
///   time       nanoseconds: as measured (getStepTimes) or, without measured
///              costs, its accesses at the latency and bandwidth of the compute
///              tier; `pebble.cost` overrides
///   recompute  OpCost::getWork(): `pebble.cost`, else arithmetic operations,
///              else bytes
/// Costs saturate at the largest number; sums of them may (CostUnit).
/// Emits an error and fails if the hierarchy does not say what the objective
/// needs: energies, or the bandwidth of the compute tier where an op has no
/// `pebble.cost`.
llvm::FailureOr<std::vector<int64_t>>
getStepCosts(const StorageAnalysis &storage, ScheduleObjective objective,
             HierarchyAttr hierarchy, CacheModel model);

/// What all steps of the block cost once; sums saturate. Fails as
/// getStepCosts() does.
llvm::FailureOr<int64_t> getCostOnce(const StorageAnalysis &storage,
                                     ScheduleObjective objective,
                                     HierarchyAttr hierarchy, CacheModel model);

/// Cost of `copy`, an allocation of a tensor that is a copy of another one and
/// stands nowhere, as if it were a step of the block. Nothing if nobody can
/// tell; getStepCosts() must not fail for the block.
std::optional<int64_t> getCopyCost(const StorageAnalysis &storage,
                                   mlir::Operation *copy,
                                   ScheduleObjective objective,
                                   HierarchyAttr hierarchy);

/// How long one run of a step takes by measured costs.
struct StepTime {
  int64_t nanoseconds = 0;
  /// Where that comes from; nothing for what the user gave and for what takes
  /// no time.
  std::optional<EstimatedTime> measured;
};

/// Whether the context's options have measured costs of operations.
bool hasStepTimes(const StorageAnalysis &storage);

/// The time of each step, where there are measured costs.
std::vector<StepTime> getStepTimes(const StorageAnalysis &storage);

/// Says for each kind of step that was not measured what its time was taken
/// from, as remarks of `category`. Does nothing without measured costs.
void explainStepTimes(const StorageAnalysis &storage, llvm::StringRef category);

/// Cost of a store and a load of each value of `problem` (buildProblem()), by
/// explicit tier:
///   energy     femtojoules: its bytes times what the one tier takes to read a
///              byte and the other to write it
///   time       nanoseconds: latency, and the bytes at the bandwidth of the
///              slower side (timeline::getDurations())
///   recompute  nothing
/// Emits an error and fails if there
/// is no tier slower than the compute tier, or if it does not say what the
/// objective needs: energies or a bandwidth.
llvm::FailureOr<graph::MoveCosts> getMoveCosts(const StorageAnalysis &storage,
                                               const game::Problem &problem,
                                               ScheduleObjective objective);

/// The same table with the bytes that are moved.
graph::MoveCosts getMovedBytes(const game::Problem &problem);

/// Femtojoules of the block as it stands: all accesses and all arithmetic.
int64_t getBlockEnergy(const StorageAnalysis &storage, HierarchyAttr hierarchy,
                       CacheModel model);

/// Femtojoules that no schedule of the block goes under: every step once, each
/// access served by the cheapest tier.
int64_t getLeastEnergy(const StorageAnalysis &storage, HierarchyAttr hierarchy);

} // namespace pebble

#endif // PEBBLE_PLANNING_STEPCOSTS_H
