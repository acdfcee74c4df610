//===- RematGreedy.h - recomputation for graphs of any size -----*- C++ -*-===//
//
// Walks an order and evicts when room is short: the value whose loss costs
// least for the bytes it frees and the time until it is read again. What is
// missing when a step's turn comes is made again first. Then runs that turn out
// to be needless are taken out, and the whole is repeated with changed
// inclinations for as long as that pays (a local search over the choices of
// the walk).
//
// Not optimal, except where the cost meets the bound; finds nothing on budgets
// that leave the walk no room. One walk is O(n r c) for r residents and
// recomputations of c steps.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_REMAT_REMATGREEDY_H
#define PEBBLE_SOLVER_REMAT_REMATGREEDY_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Remat/RematGame.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pebble::graph {

struct RematGreedyOptions {
  int64_t budget = 0;
  /// First runs keep the order in which the steps stand (`orders` has to).
  bool fixedOrder = false;
  /// Seeds the changes of inclination. Same problem, seed and effort: same
  /// answer, on any machine.
  uint64_t seed = 0;
  /// Walks. 0: some hundred, fewer on large problems.
  uint64_t effort = 0;
  const StopSign *stop = nullptr;
  /// Stop at this cost: no schedule costs less.
  int64_t enough = 0;
};

/// Why walks do not take a problem, as the rest of a sentence that starts with
/// "it"; empty if they do.
std::string rematGreedyRefusal(const game::Problem &problem,
                               const RematMeans &means);

/// The cheapest schedule found whose first runs follow one of `orders` (legal
/// orders of all steps; the last one is tried first). Status Feasible, Optimal
/// where it meets `options.enough`, or Unknown.
game::Schedule rematGreedy(const game::Problem &problem,
                           const std::vector<std::vector<game::Id>> &orders,
                           const RematGreedyOptions &options);

/// The schedule that runs `runs` (steps, repeats allowed) and drops each value
/// right after its last use before it is made again. Not checked here.
std::vector<game::Move> scheduleOfRuns(const game::Problem &problem,
                                       const std::vector<game::Id> &runs);

/// Takes out runs that a schedule of `runs` can do without within `budget`, the
/// dearest first. Returns what it costs then; negative, and `runs` as they are,
/// if they make no schedule within the budget, or with `fixedOrder` none whose
/// first runs keep the order of the steps.
int64_t dropNeedlessRuns(const game::Problem &problem,
                         std::vector<game::Id> &runs, int64_t budget,
                         bool fixedOrder = false,
                         const StopSign *stop = nullptr);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_REMAT_REMATGREEDY_H
