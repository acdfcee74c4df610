//===- CopiedResults.h - orders in which readers have own copies -*- C++ -*-===//
//
// A start for search where an order and recomputation have to be found
// together: no order fits the budget, and no recomputation helps in the orders
// that are good without it. Of the results that wait for a reader at the peak
// of an order, one is made anew for each reader, in an enlarged problem whose
// order of least peak (PeakOrder.h) may put the readers far apart: the one that
// lowers the peak most. So on, until it fits or nothing lowers it; then runs
// that the budget does not need are taken out again, dearest first.
//
// Not optimal: the next copy is chosen without a look at the one after it, and
// among the results that are cheapest per byte. Some order searches for each
// copy, and a pass of changes (RunSequence.h) over the runs that repeat.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_COPIEDRESULTS_H
#define PEBBLE_LIB_SOLVER_REMAT_COPIEDRESULTS_H

#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Order/PeakOrder.h"

#include <vector>

namespace pebble::graph {

/// A list of runs (RunSequence.h) that makes a valid schedule, made from
/// `order`; `budget` may be too small for it. `problem` is checked and local
/// search takes it; `options` are those of each order search.
std::vector<game::Id> runsWithCopies(const game::Problem &problem,
                                     int64_t budget,
                                     const std::vector<game::Id> &order,
                                     const PeakOrderOptions &options,
                                     const StopSign *stop);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_COPIEDRESULTS_H
