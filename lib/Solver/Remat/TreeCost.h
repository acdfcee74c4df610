//===- TreeCost.h - least cost where recomputation never helps --*- C++ -*-===//
//
// Least cost within a budget on in-trees: every result is read by one step at
// most. There every step once is optimal if the order of least peak fits
// (PeakOrder.h), and nothing fits if it does not.
//
// Proof. Take any schedule. Keep, of every step whose result is required or
// not read, the last run; of every other step the run that made the copy which
// the one kept run of its one reader reads. That is one run of each step, every
// kept run still reads what it read, and a copy lives no longer than before. So
// some order of single runs fits wherever a schedule with repetitions does.
//
// The order comes from the search of ValleySearch.h, which on trees commits to
// the hill-valley segments of Liu (1987) and never goes back on one.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_TREECOST_H
#define PEBBLE_LIB_SOLVER_REMAT_TREECOST_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Remat/LeastCostOptions.h"

#include <string>

namespace pebble::graph {

/// Why it does not take a checked problem, as the rest of a sentence that
/// starts with "it"; empty if it does. O(n + accesses).
std::string treeCostRefusal(const game::Problem &problem,
                            const LeastCostOptions &options);

/// Optimal or Infeasible, with the smallest budget where it is infeasible;
/// Unknown only where a limit cut the search for the order off, or the problem
/// is so large that PeakOrder only sweeps it.
game::Schedule treeCost(const game::Problem &problem,
                        const LeastCostOptions &options);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_TREECOST_H
