//===- LeastTime.h - the fastest program within a budget --------*- C++ -*-===//
//
// Minimises the makespan where transfers run beside steps. What a transfer
// costs then depends on how much of it hides: a schedule is found for each of
// some prices, from its whole duration down to nothing (LeastCost.h), each is
// made to overlap (Overlap.h), and the fastest stays.
//
// Optimal only where the makespan meets the bound. The bound: one worker runs
// the steps and one moves the data, so for any share a the makespan is no less
// than a times the computation plus (1 - a) times the transfers, and that is
// what TransferBound.h bounds.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_TIMELINE_LEASTTIME_H
#define PEBBLE_SOLVER_TIMELINE_LEASTTIME_H

#include "pebble/Solver/Graph/LeastCost.h"
#include "pebble/Solver/Timeline/Overlap.h"

namespace pebble::timeline {

/// A schedule with its makespan as cost, and the program that has it. The moves
/// are those of the program, in the order in which they start.
struct FastProgram {
  game::Schedule schedule;
  Overlapped program;
};

/// The fastest program found for `problem`, whose steps cost what they take in
/// nanoseconds. Options are those of graph::leastCost(), which must not refuse
/// them, but `transfers` is what `durations` says.
FastProgram leastTime(const game::Problem &problem, const Durations &durations,
                      const graph::LeastCostOptions &options);

/// No program within `budget` ends before. INT64_MAX if nothing fits.
/// `stop` ends it with what is proven so far.
int64_t makespanBound(const game::Problem &problem, const Durations &durations,
                      std::optional<int64_t> budget,
                      const graph::RematMeans &means,
                      const graph::StopSign *stop = nullptr);

} // namespace pebble::timeline

#endif // PEBBLE_SOLVER_TIMELINE_LEASTTIME_H
