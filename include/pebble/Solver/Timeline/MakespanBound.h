//===- MakespanBound.h - no program ends before -----------------*- C++ -*-===//
//
// Where transfers run beside steps, one worker runs the steps and one moves the
// data. So for any share a the makespan is no less than a times the computation
// plus (1 - a) times the transfers, and that is what TransferBound.h bounds.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_TIMELINE_MAKESPANBOUND_H
#define PEBBLE_SOLVER_TIMELINE_MAKESPANBOUND_H

#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Solver/Remat/RematGame.h"
#include "pebble/Solver/Timeline/Timeline.h"

#include <optional>

namespace pebble::timeline {

/// The durations of a problem whose steps cost nanoseconds, and whose transfers
/// take what `costs` says.
Durations durationsOf(const game::Problem &problem,
                      const graph::MoveCosts &costs);

/// No program within `budget` ends before. INT64_MAX if nothing fits.
/// `stop` ends it with what is proven so far.
int64_t makespanBound(const game::Problem &problem, const Durations &durations,
                      std::optional<int64_t> budget,
                      const graph::RematMeans &means,
                      const graph::StopSign *stop = nullptr);

} // namespace pebble::timeline

#endif // PEBBLE_SOLVER_TIMELINE_MAKESPANBOUND_H
