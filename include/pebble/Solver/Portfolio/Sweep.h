//===- Sweep.h - cost over budget, in one search ----------------*- C++ -*-===//
//
// The least cost at budgets from the least that is found to do up to the peak
// of the given order. Budgets are solved from the least to the largest, each
// from the best schedule that is known at smaller ones. So what is feasible at
// a budget is feasible at each larger one and costs no more there. A schedule
// that takes less than its budget counts at smaller ones, too, and so does a
// bound: nothing costs less within less.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_PORTFOLIO_SWEEP_H
#define PEBBLE_SOLVER_PORTFOLIO_SWEEP_H

#include "pebble/Solver/Portfolio/FindSchedule.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pebble::graph {

struct SweepPoint {
  int64_t budget = 0;
  /// Within the budget, with the best bound that holds for it.
  game::Schedule schedule;
  /// Updates that are not in place in it.
  std::vector<game::Update> outOfPlace;
};

struct Sweep {
  /// Of every step once, which no schedule beats.
  int64_t once = 0;
  /// Of the given order: the last budget.
  int64_t givenPeak = 0;
  /// The first budget is proven to be the smallest feasible one.
  bool leastIsProven = false;
  /// A limit cut the search off.
  bool limited = false;
  /// By ascending budgets; none where no schedule is known at all.
  std::vector<SweepPoint> points;
};

/// The point from which on less memory gets dear: with both axes scaled to the
/// curve, the one that lies farthest below the chord between its ends; of
/// several, that of the smallest budget. None lies below it: there is no knee.
std::optional<size_t> kneeOf(const Sweep &sweep);

/// Why there is no sweep of a problem with these options; empty if there is.
std::string sweepRefusal(const game::Problem &problem,
                         const LeastCostOptions &options);

/// At most `count` points, evenly spread, of a problem that is not refused.
/// Budget and start of the request do not count; its limits are for all points
/// together. `onBudget` hears of each budget before it is solved.
Sweep sweepBudgets(const portfolio::Request &request, size_t count,
                   const std::function<void(int64_t)> &onBudget = {});

/// The same without updates that may be out of place.
Sweep sweepBudgets(const game::Problem &problem,
                   const LeastCostOptions &options, size_t count,
                   const std::function<void(int64_t)> &onBudget = {});

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_PORTFOLIO_SWEEP_H
