//===- LeastCost.h - the cheapest schedule, by whatever suits ---*- C++ -*-===//
//
// The portfolio for the least cost within a budget. An order that fits costs no
// more than every step once, which nothing can beat. Otherwise, on problems
// that are not for exact search, an order mended at its fullest moments
// (PeakCuts.h) is the first answer; the bounds suggest another (RematBound.h).
// Then a moment of exact search where the problem is small, more mended orders,
// where nothing is known the leanest schedule (LeastBudget.h), local search
// (LocalSearch.h) and the rest of exact search (RematSearch.h). The answer
// carries the best of the bounds: optimal, infeasible and smallest budgets are
// proven.
//
// Where values may be offloaded, local search over runs and loads starts from
// orders whose values are paged out (Paging.h), or from what is known already.
// TransferBound.h is the bound. What mixes the means, so that both are never
// dearer than one, is Solver/Portfolio/FindSchedule.h.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_PORTFOLIO_LEASTCOST_H
#define PEBBLE_SOLVER_PORTFOLIO_LEASTCOST_H

#include "pebble/Solver/Remat/LeastCostOptions.h"

#include <string>
#include <vector>

namespace pebble::graph {

/// The names of what is attempted, in order.
std::vector<std::string> leastCostAttempts();

/// Why no solver can take a checked problem with these options; empty if one
/// can.
std::string leastCostRefusal(const game::Problem &problem,
                             const LeastCostOptions &options);

/// Orders and greedy walks alone: the solver "remat-greedy".
game::Schedule leastCostByWalks(const game::Problem &problem,
                                const LeastCostOptions &options);

/// Orders, mended at their fullest moments (with offloading, paging too), then
/// local search: the solver "local-search".
game::Schedule leastCostByLocalSearch(const game::Problem &problem,
                                      const LeastCostOptions &options);

/// The best schedule found for a problem that is not refused. `cost` counts
/// every run, store and load.
game::Schedule leastCost(const game::Problem &problem,
                         const LeastCostOptions &options);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_PORTFOLIO_LEASTCOST_H
