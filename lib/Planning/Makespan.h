//===- Makespan.h - the clock of a block that moves values ------*- C++ -*-===//
//
// Where time is what counts, transfers run beside the steps: says when each of
// them starts and is waited for, and how long the whole takes, in terms of the
// block's prices. Private to Planning; Solver/Timeline does it.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_MAKESPAN_H
#define PEBBLE_LIB_PLANNING_MAKESPAN_H

#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Solver/Timeline/Overlap.h"

namespace pebble {

/// The durations of a problem whose steps cost nanoseconds, and whose transfers
/// take what `costs` says.
timeline::Durations getDurations(const game::Problem &problem,
                                 const graph::MoveCosts &costs);

/// The fastest program found that makes `moves` within `budget`.
timeline::Overlapped overlapMoves(const game::Problem &problem,
                                  const std::vector<game::Move> &moves,
                                  const graph::MoveCosts &costs,
                                  int64_t budget);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_MAKESPAN_H
