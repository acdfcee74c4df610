//===- Infeasible.h - what to say when no schedule fits ---------*- C++ -*-===//
//
// Finds the smallest budget for which a schedule is known and says where it
// binds: private to Planning.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_INFEASIBLE_H
#define PEBBLE_LIB_PLANNING_INFEASIBLE_H

#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/PlanSchedule.h"
#include "pebble/Planning/StepUnits.h"
#include "pebble/Solver/Graph/LeastCost.h"

namespace pebble {

/// The leanest schedule that is known.
struct LeastBudget {
  /// The live bytes that it needs, of the block.
  int64_t bytes = 0;
  /// Steps of the block; empty if none is known at all.
  std::vector<game::Id> steps;
  /// Moves of the block, if there is more to it than the steps.
  std::vector<game::Move> moves;
  std::string solver;
  /// No schedule needs less.
  bool isProven = false;
  /// The clock ended the search for one within the budget that was asked for.
  bool limited = false;
  bool mayRecompute = true;
  /// Where values may be moved: the bytes that slower tiers hold (none: no
  /// limit), and the peak of the leanest order.
  std::optional<int64_t> slowBytes;
  int64_t orderPeak = 0;
};

/// The most that one step needs, and what the caller keeps: no budget below is
/// enough.
int64_t getLargestStep(const game::Problem &problem);

/// The leanest schedule that the solvers find for the contracted problem.
/// `offset` is what it counts on top of the block's bytes. If `options` has no
/// time limit, one of half a minute holds. Nothing if no solver takes it.
std::optional<LeastBudget> findLeastBudget(const UnitProblem &units,
                                           int64_t offset,
                                           graph::LeastCostOptions options);

/// Emits the error at the op at the peak of the leanest schedule: the budget
/// that would do (as one block where buffers have addresses), and the largest
/// values live there, with the reasons why they cannot be recomputed. Prices
/// are those of transfers, `offset` is what the game counts on top of the
/// block's bytes. Always fails.
llvm::LogicalResult reportInfeasible(const StorageAnalysis &analysis,
                                     const BlockProblem &built,
                                     const SchedulePlan &plan,
                                     const ScheduleRequest &request,
                                     const graph::MoveCosts &prices,
                                     int64_t offset, const LeastBudget &least);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_INFEASIBLE_H
