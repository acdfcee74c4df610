//===- EnergyOrder.h - the order of least energy ----------------*- C++ -*-===//
//
// What it minimises: the energy of an order of steps as EnergyModel prices it
// (compute energy left out), optionally among orders within a peak limit.
//
// When it is optimal: proven by branch and bound for problems of up to 64 steps
// if options.visitLimit prefixes are enough, or whenever the order found meets
// the lower bound. Otherwise the best of an annealed search, with the bound.
//
// Complexity: one exchange of neighbours costs O(r x s) for steps that touch r
// and s items; the search makes options.iterationLimit of them. Problems of
// more than kFastSteps steps get list scheduling and a few exchanges per step,
// near-linear in all.
//
// docs/solvers/EnergyOrder.md has the method, its sources and figures.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ENERGY_ENERGYORDER_H
#define PEBBLE_SOLVER_ENERGY_ENERGYORDER_H

#include "pebble/Solver/Energy/EnergyModel.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"

#include <optional>

namespace pebble::graph {

struct EnergyOrderOptions {
  uint64_t seed = 1;
  /// An answer that the clock cut short may differ from run to
  /// run; any other is the same for the same seed and iteration limit, whatever
  /// the number of threads.
  Limits limits;
  /// Exchanges of neighbours that the search may try in all. 0: none if there
  /// is a time limit, otherwise chosen from the size of the problem.
  int64_t iterationLimit = 0;
  /// Threads to use at most; the search runs two chains.
  unsigned threads = 2;
  /// Bytes that may be live at once (live units, as game::verify() counts).
  std::optional<int64_t> peakLimit;
  /// Prefixes that the proof may visit; 0: no proof by search.
  int64_t visitLimit = 1000000;
};

/// Problems of more steps are ordered by the near-linear method.
constexpr size_t kFastSteps = 20000;

/// Orders `problem` (which game::check() accepts) for least energy under
/// `model` on problem.hierarchy.
///
/// The answer's moves are game::scheduleOfOrder() of the order found; cost and
/// bound are femtojoules. It never costs more than the order that came in,
/// unless that one breaks the peak limit. Status: Optimal or Feasible;
/// Infeasible if provably no order keeps the peak limit, Unknown if none was
/// found that does (the moves are then empty).
game::Schedule energyOrder(const Problem &problem, CacheModel model,
                           const EnergyOrderOptions &options = {});

/// The order of the Compute moves of a schedule.
std::vector<Id> orderOfSchedule(const game::Schedule &schedule);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_ENERGY_ENERGYORDER_H
