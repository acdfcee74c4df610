//===- Leanest.h - the least that is known to do ----------------*- C++ -*-===//
//
// The leanest schedules that a request allows: of orders, with recomputation,
// and with transfers. Private to Portfolio.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_PORTFOLIO_LEANEST_H
#define PEBBLE_LIB_SOLVER_PORTFOLIO_LEANEST_H

#include "pebble/Solver/Portfolio/FindSchedule.h"

namespace pebble::portfolio {

/// The most that one step needs beside what is pinned: no budget below is
/// enough, whatever may move or run again. O(accesses).
int64_t largestStep(const game::Problem &problem);

/// The leanest schedule that recomputation is found to have, as moves of
/// `problem`, the judged one that `units` were made of. Where `options` have no
/// time limit, one of half a minute holds. Nothing if no solver takes it.
std::optional<Leanest> leanestByRecomputation(const game::Problem &problem,
                                              const UnitProblem &units,
                                              graph::LeastCostOptions options);

/// The leanest schedule with transfers alone, among those that keep one of
/// `orders`, legal orders of all steps.
Leanest leanestByTransfers(const game::Problem &problem,
                           const std::vector<std::vector<game::Id>> &orders);

} // namespace pebble::portfolio

#endif // PEBBLE_LIB_SOLVER_PORTFOLIO_LEANEST_H
