//===- Infeasible.h - what to say when no schedule fits ---------*- C++ -*-===//
//
// Says which budget the leanest schedule that is known needs, and where it
// binds: private to Planning.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_INFEASIBLE_H
#define PEBBLE_LIB_PLANNING_INFEASIBLE_H

#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/PlanSchedule.h"

namespace pebble {

/// The leanest schedule that is known.
struct LeastBudget {
  /// The live bytes that it needs, of the block.
  int64_t bytes = 0;
  /// Moves of the block; empty if none is known at all.
  std::vector<game::Move> moves;
  /// What a schedule needs that takes less, and is not proven to be the same
  /// program.
  std::optional<int64_t> unproven;
  /// No schedule needs less.
  bool isProven = false;
  /// An order whose bytes were counted by the block, which has less than the
  /// game throughout.
  bool isCounted = false;
  /// The clock ended the search for one within the budget that was asked for.
  bool limited = false;
  bool mayRecompute = true;
  /// Where values may be moved: the bytes that slower tiers hold (none: no
  /// limit), and the peak of the leanest order.
  std::optional<int64_t> slowBytes;
  int64_t orderPeak = 0;
};

/// The bytes that slower tiers hold together; none: there is no limit.
std::optional<int64_t> getSlowBytes(const game::Problem &problem);

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
