//===- StepUnits.h - steps that run again together --------------*- C++ -*-===//
//
// A fill and the product that accumulates into it, a fill and the slice that is
// inserted: chains of writers of one storage whose intermediate contents nobody
// else reads. Alone none of them may run again, for all but the first update in
// place (rule G9); together they make a storage from nothing and may. This file
// contracts such chains into single
// steps of a smaller problem. It decides nothing else and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_PORTFOLIO_STEPUNITS_H
#define PEBBLE_SOLVER_PORTFOLIO_STEPUNITS_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/MoveSequence.h"

#include <string>
#include <vector>

namespace pebble::portfolio {

/// How far steps are drawn together.
enum class Grouping {
  /// Only where no schedule is lost: what comes first in a chain reads nothing
  /// that could be freed after it.
  Lossless,
  /// Every chain that can become one step.
  Full
};

/// A step of the contracted problem.
struct StepUnit {
  /// Steps of the block, in the order in which they run.
  std::vector<game::Id> steps;
  /// Why it cannot run again; empty if it can.
  std::string reason;
};

struct UnitProblem {
  game::Problem problem;
  /// By step of `problem`.
  std::vector<StepUnit> units;
  /// By value of `problem`: which of the block's problem it is. What a unit
  /// makes and uses up itself is none, so that it cannot move.
  std::vector<game::Id> origins;
  /// Some schedules of the block's problem are none of this one: a chain was
  /// drawn together although its parts might have been run apart with less.
  bool losesSchedules = false;
  /// Values of the block's problem that are written in place, outside of a
  /// unit, by steps that may run again. Once what they overwrite has been made
  /// again they might be, too, which no schedule of this problem does.
  std::vector<game::Id> repeatable;

  /// Every schedule of the block's problem has one here that costs and takes no
  /// more, so that what is proven here holds there.
  bool isWhole() const { return !losesSchedules && repeatable.empty(); }
};

/// Contracts a checked problem. `runOnce` has an entry for each step: why it
/// cannot run again. The result passes game::check(). Time near-linear in
/// accesses and precedences.
UnitProblem buildUnitProblem(const game::Problem &problem,
                             const std::vector<std::string> &runOnce,
                             Grouping grouping);

/// How far steps may be drawn together: what a user wants again for each of its
/// readers has to be told apart.
Grouping groupingFor(const game::Problem &problem);

/// What is to be searched for schedules of `problem`: it with chains drawn
/// together as far as groupingFor() says. If that loses schedules, also with
/// fewer chains drawn together, which loses none: apart they may need less.
std::vector<UnitProblem>
buildUnitProblems(const game::Problem &problem,
                  const std::vector<std::string> &runOnce);

/// The steps of the block that `runs`, steps of the contracted problem, stand
/// for.
std::vector<game::Id> expandUnits(const UnitProblem &units,
                                  const std::vector<game::Id> &runs);

/// The moves of the block that moves of the contracted problem stand for.
std::vector<game::Move> expandMoves(const UnitProblem &units,
                                    const std::vector<game::Move> &moves);

/// The moves of the contracted problem that come nearest to `moves`, a schedule
/// of the block: a unit runs where its last step does. They need not make a
/// schedule. Empty if what is stored or loaded has no name there.
std::vector<game::Move> contractMoves(const UnitProblem &units,
                                      const std::vector<game::Move> &moves);

/// The runs and loads (RunIds.h) of contractMoves().
std::vector<game::Id> contractRuns(const UnitProblem &units,
                                   const std::vector<game::Move> &moves);

/// Prices of transfers by value of the contracted problem.
graph::MoveCosts contractCosts(const UnitProblem &units,
                               const graph::MoveCosts &costs);

} // namespace pebble::portfolio

#endif // PEBBLE_SOLVER_PORTFOLIO_STEPUNITS_H
