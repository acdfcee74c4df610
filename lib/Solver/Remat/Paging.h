//===- Paging.h - stores and loads for a given list of runs -----*- C++ -*-===//
//
// Walks a list of runs and, when room is short, moves to a slower tier what
// costs least for the bytes it frees and the time until it is read again
// (Belady's rule with prices: "A study of replacement algorithms for a
// virtual-storage computer", IBM Systems Journal 5(2), 1966); what is missing
// when a run's turn comes is loaded first. The walk is repeated with changed
// inclinations.
//
// Any number of tiers, each with its capacity and its prices: a copy goes to
// the cheapest one that has room. Not optimal, except where nothing has to be
// moved. One walk is O(n r) for r residents.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_PAGING_H
#define PEBBLE_LIB_SOLVER_REMAT_PAGING_H

#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/MoveSequence.h"

namespace pebble::graph {

struct PagingOptions {
  /// Live bytes of the compute tier.
  int64_t budget = 0;
  /// Same problem, seed and effort: same answer, on any machine.
  uint64_t seed = 0;
  /// Walks. 0: some dozens, fewer on large problems.
  uint64_t effort = 0;
  const StopSign *stop = nullptr;
};

/// The cheapest schedule found that makes `runs`, which without transfers are a
/// valid schedule but for the budget. Status Feasible, or Unknown if no walk
/// fits; never more is claimed. `cost` counts runs and transfers, `bound` every
/// step once.
game::Schedule pageRuns(const game::Problem &problem,
                        const std::vector<game::Id> &runs,
                        const MoveCosts &costs, const PagingOptions &options);

/// The least budget within which pageRuns() can succeed for these runs if
/// slower tiers have room: the largest run with what cannot be moved.
int64_t leastPagingBudget(const game::Problem &problem,
                          const std::vector<game::Id> &runs);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_PAGING_H
