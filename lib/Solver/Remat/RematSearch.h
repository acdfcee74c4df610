//===- RematSearch.h - least cost within a budget, exactly ------*- C++ -*-===//
//
// Finds the schedule of least cost among all that fit a budget: steps may run
// again and in any order, values may be dropped and, where asked, stored and
// loaded. Best-first search (A*) over what is resident, stored and has run,
// with the bounds of RematGame.h.
//
// Moves run a step or load a value. Values are dropped only to make room, and
// no more of them than the room needs: a superset of the residents can do
// whatever the set can, so no better schedule is lost. Stores are made right
// before a drop, for the same reason, and copies in slower tiers are dropped
// only to make room for a store.
//
// Optimal, or proven infeasible, when it ends by itself. Exponential at worst:
// meant for up to some 30 steps, taken up to 64; cut off by the limits below,
// it answers with a proven lower bound.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_REMATSEARCH_H
#define PEBBLE_LIB_SOLVER_REMAT_REMATSEARCH_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Remat/RematGame.h"

#include <optional>
#include <vector>

namespace pebble::graph {

struct RematSearchOptions {
  RematMeans means;
  /// Prices of stores and loads by tier and value; none: `means.offloadRate`
  /// per byte. Not owned.
  const MoveCosts *transfers = nullptr;
  /// Live bytes of the compute tier; none: unbounded.
  std::optional<int64_t> budget;
  /// Positions that one search may keep (about 150 bytes each). 0: four
  /// million.
  uint64_t effort = 0;
  /// An answer that they cut off says `limited`.
  Limits limits;
  /// Whether to prove the smallest feasible budget as well. That of an
  /// infeasible budget is looked for in any case.
  bool minBudget = false;
  /// Only cheaper schedules are asked for; `infeasible` without a smallest
  /// budget then says that there is none.
  int64_t below = kNever;
};

/// The cheapest schedule of a checked problem that RematGame does not refuse.
/// `cost` counts every run, store and load.
game::Schedule rematSearch(const game::Problem &problem,
                           const RematSearchOptions &options = {});

/// What is known of the least peak.
struct LeastPeak {
  /// No schedule takes less.
  int64_t bound = 0;
  /// The leanest schedule found; no moves where none is leaner than what was
  /// known.
  int64_t peak = 0;
  std::vector<game::Move> moves;
};

/// Looks for schedules of a peak below `known`, by halves. A half that a limit
/// cuts off counts as without schedules, and proves nothing. `effort` is for
/// each half, `all` for all of them.
LeastPeak searchLeastPeak(const RematGame &game, int64_t known, uint64_t effort,
                          const StopSign *stop, uint64_t all = UINT64_MAX);

/// The smallest budget within which there is a schedule, at most `enough`
/// (one that is known to do), or nothing if the limits cut the search off.
std::optional<int64_t> smallestBudget(const RematGame &game, int64_t enough,
                                      uint64_t effort = 0,
                                      const StopSign *stop = nullptr);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_REMATSEARCH_H
