//===- LocalSearch.h - changing runs until they cost less -------*- C++ -*-===//
//
// Anytime search over lists of runs for problems of up to some thousand steps.
// Runs are put in, taken out and moved, with the order of first runs free; what
// a change makes needless goes with it. Annealed: dearer lists, and lists that
// exceed the budget, are passed through at a price. Between rounds some copies
// of the best runs are taken away and chosen anew. Starts from schedules that
// others found and never answers a dearer one.
//
// Not optimal, except where the cost meets the bound it is given. One change is
// O(d log r + s) for d accesses of the steps changed, r runs of one step and s
// slots whose bytes change.
//
// Simulated annealing: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Optimization
// by Simulated Annealing (1983).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_LOCALSEARCH_H
#define PEBBLE_LIB_SOLVER_REMAT_LOCALSEARCH_H

#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Solver/Remat/RematGame.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pebble::graph {

struct LocalSearchOptions {
  int64_t budget = 0;
  /// First runs keep the order in which the steps stand.
  bool fixedOrder = false;
  /// Prices of stores and loads; none: nothing is offloaded. With them starts
  /// may hold loads (RunIds.h). While it searches, tiers with a capacity are
  /// left out where there are others; the answer uses them.
  const MoveCosts *transfers = nullptr;
  /// Whether steps may run again.
  bool recompute = true;
  /// Seeds the choices. Same problem, starts, seed and effort: same answer, on
  /// any machine, with any number of threads.
  uint64_t seed = 0;
  /// Changes tried by each of two searches. 0: half a million, fewer from 200
  /// steps on, or without limit if `stop` goes up by itself.
  uint64_t effort = 0;
  /// At most 2 are used.
  unsigned threads = 2;
  const StopSign *stop = nullptr;
  /// Whether `stop` has a deadline.
  bool timed = false;
  /// Stop at this cost: no schedule costs less.
  int64_t enough = 0;
};

/// Why it does not take a problem, as the rest of a sentence that starts with
/// "it"; empty if it does.
std::string localSearchRefusal(const game::Problem &problem,
                               const RematMeans &means);

/// The same for searches with LocalSearchOptions::transfers.
std::string transferSearchRefusal(const game::Problem &problem);

/// The cheapest schedule found from `starts`: lists of runs that make valid
/// schedules, but may exceed the budget. Status Feasible, Optimal where it
/// meets `options.enough`, or Unknown with the least peak seen in `peak`.
game::Schedule localSearch(const game::Problem &problem,
                           const std::vector<std::vector<game::Id>> &starts,
                           const LocalSearchOptions &options);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_LOCALSEARCH_H
