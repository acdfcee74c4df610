//===- LeastBudget.h - the least peak with recomputation --------*- C++ -*-===//
//
// Minimises the peak of live bytes where steps may run again, whatever that
// costs: the smallest feasible budget. Orders are mended for budgets by halves
// (PeakCuts.h); then these, walks and local search are asked for ever smaller
// ones. Where the problem is small, exact search decides (RematSearch.h).
//
// Optimal where the peak meets the floor (the largest bytes that any schedule
// has live beside one step), which it often does, or where exact search ends.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_PORTFOLIO_LEASTBUDGET_H
#define PEBBLE_SOLVER_PORTFOLIO_LEASTBUDGET_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Portfolio/LeastCost.h"

namespace pebble::graph {

/// Why it does not take a problem, as the rest of a sentence that starts with
/// "it"; empty if it does.
std::string leastBudgetRefusal(const game::Problem &problem,
                               const RematMeans &means);

/// The schedule of least peak found for a problem that is not refused. Here
/// `bound` bounds the peak; `cost` is that of the schedule, and no search for a
/// cheaper one was made. `minBudget` is set where it is proven. `budget` and
/// `solver` of the options do not count. A peak of `enough` ends the search.
game::Schedule leastBudget(const game::Problem &problem,
                           const LeastCostOptions &options, int64_t enough = 0);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_PORTFOLIO_LEASTBUDGET_H
