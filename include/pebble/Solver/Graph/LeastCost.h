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

#ifndef PEBBLE_SOLVER_GRAPH_LEASTCOST_H
#define PEBBLE_SOLVER_GRAPH_LEASTCOST_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Solver/Graph/RematGame.h"

#include <functional>
#include <optional>
#include <string>

namespace pebble::milp {
class Model;
} // namespace pebble::milp

namespace pebble::graph {

struct LeastCostOptions {
  RematMeans means;
  /// Prices of stores and loads by tier and value; none: `means.offloadRate`
  /// per byte in every slower tier.
  std::optional<MoveCosts> transfers;
  /// Live bytes of the compute tier; none: unbounded.
  std::optional<int64_t> budget;
  /// Empty: whatever suits. Otherwise one of RematSolvers.h alone.
  std::string solver;
  uint64_t seed = 0;
  /// Limits each solver in its own unit. 0: its default.
  uint64_t effort = 0;
  /// For all together. An answer that they cut off says `limited`.
  Limits limits;
  /// A valid schedule within the budget to start from, where a solver can use
  /// one; empty: none.
  std::vector<game::Move> start;
  /// What is known already where values may be offloaded: lists of runs and
  /// loads (RunIds.h), within the budget or not. The search goes on from those
  /// that make schedules, and looks for no others to start from.
  std::vector<std::vector<game::Id>> known;
  /// Attempts (leastCostAttempts()) that are left out, to see what each of them
  /// is good for.
  std::vector<std::string> without;
  /// Called with the MILP that a solver builds, before it is solved.
  std::function<void(const milp::Model &)> onModel;
};

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

#endif // PEBBLE_SOLVER_GRAPH_LEASTCOST_H
