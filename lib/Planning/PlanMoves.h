//===- PlanMoves.h - schedules that move values between tiers ---*- C++ -*-===//
//
// Asks the solvers for schedules with stores and loads, compares what they
// answer, and sees that the user's wishes are followed: private to Planning.
// What it returns is judged by whoever asked.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_PLANMOVES_H
#define PEBBLE_LIB_PLANNING_PLANMOVES_H

#include "Infeasible.h"

#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/PlanSchedule.h"
#include "pebble/Planning/StepUnits.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/MoveSequence.h"

namespace pebble {

struct MoveSearch {
  const StorageAnalysis &analysis;
  /// Built with `moves`, steps priced.
  const BlockProblem &built;
  const ScheduleRequest &request;
  /// By value of the block's problem. What objective=recompute charges for a
  /// transfer is nothing; there the bytes moved break ties.
  const graph::MoveCosts &costs;
  /// Why each step cannot run again; empty if it can.
  const std::vector<std::string> &runOnce;
  /// As the game counts.
  int64_t budget = 0;
  /// Legal orders of all steps to start from.
  std::vector<std::vector<game::Id>> orders;
  graph::Limits limits;
};

struct MoveAnswer {
  /// Unknown if nothing fits.
  game::Status status = game::Status::Unknown;
  /// Of the block, in canonical form (canonicalMoves()).
  std::vector<game::Move> moves;
  /// No schedule with the means that are allowed costs less.
  int64_t bound = 0;
  std::string solver;
  /// Why the solver that was asked for did nothing; empty if it did.
  std::string refusal;
  bool limited = false;
};

/// The problem that answers are judged by: steps run again where they may, and
/// wishes to offload are not the game's business.
game::Problem getMoveProblem(const MoveSearch &search);

/// Emits an error and fails if a wish to offload cannot be followed, whatever
/// the budget.
llvm::LogicalResult checkOffloadWishes(const MoveSearch &search);

/// The cheapest schedule found within the budget that follows the wishes.
MoveAnswer findMoves(const MoveSearch &search);

/// The leanest schedule with transfers alone that is known.
LeastBudget findLeastMoves(const MoveSearch &search);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_PLANMOVES_H
