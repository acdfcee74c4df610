//===- RunIds.h - lists of runs that load values too ------------*- C++ -*-===//
//
// A copy of a value comes from a run of its producer or from a load. So a load
// is one more kind of run, which reads nothing: lists of runs name steps first
// and then, by value, loads. What a list leaves open is where values are stored
// and in which tier; movesOfRuns() decides that.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_GRAPH_RUNIDS_H
#define PEBBLE_LIB_SOLVER_GRAPH_RUNIDS_H

#include "pebble/Solver/Graph/MoveSequence.h"

namespace pebble::graph {

/// The id of a load of `value` in lists of runs.
inline game::Id loadOf(const game::Problem &p, game::Id value) {
  return static_cast<game::Id>(p.steps.size()) + value;
}
/// Whether `run` is a load, and of what.
inline bool isLoad(const game::Problem &p, game::Id run) {
  return run >= p.steps.size();
}
inline game::Id loadedValue(const game::Problem &p, game::Id run) {
  return run - static_cast<game::Id>(p.steps.size());
}

/// Whether a value may be copied to a slower tier and leave the compute tier.
bool mayMove(const game::Problem &problem, game::Id value);

/// One price of `bytes * rate` for each store and load to the first slower
/// tier. Other tiers are priced the same.
MoveCosts costsByRate(const game::Problem &problem, int64_t rate);

/// The least that one store and `loads` loads of `value` cost, over all slower
/// tiers; with `roomyOnly` over those without a capacity, if there are any.
int64_t transferCost(const game::Problem &problem, const MoveCosts &costs,
                     game::Id value, size_t loads, bool roomyOnly);

/// The steps and loads of a schedule, in order.
std::vector<game::Id> runsOfMoves(const game::Problem &problem,
                                  const std::vector<game::Move> &moves);

/// Whether each run finds what it reads, and each load what was made before:
/// with that movesOfRuns() takes `runs`, which may come from anywhere.
bool findInputs(const game::Problem &problem,
                const std::vector<game::Id> &runs);

/// Whether users want results to be recomputed or offloaded, which running
/// every step once in some order does not follow.
bool hasWishes(const game::Problem &problem);

/// Whether each copy of `value` serves one reader at most, since a user wants
/// it made or fetched again for each of them.
bool servesOneReader(const game::Problem &problem, game::Id value);

/// `order`, a legal order of the steps, with the runs and loads right before
/// readers that the wishes to recompute and to offload ask for. Their steps do
/// not write in place. Empty where that takes far too many runs. Where what a
/// run needs is gone by then, it makes no schedule.
std::vector<game::Id> followWishes(const game::Problem &problem,
                                   const std::vector<game::Id> &order);

/// The schedule that makes `runs`: each value that is loaded is stored once,
/// right after the last run before its first load that makes it, in the
/// cheapest tier that has room until its last load; drops come right after last
/// uses. Empty where no tier has room. Not judged here.
std::vector<game::Move> movesOfRuns(const game::Problem &problem,
                                    const std::vector<game::Id> &runs,
                                    const MoveCosts &costs);

/// Those moves as a schedule: Feasible within `budget`, otherwise Unknown; no
/// moves if `runs` make no schedule at all.
game::Schedule scheduleOfList(const game::Problem &problem,
                              const std::vector<game::Id> &runs,
                              const MoveCosts &costs, int64_t budget);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_GRAPH_RUNIDS_H
