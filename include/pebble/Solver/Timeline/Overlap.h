//===- Overlap.h - hide transfers behind computation ------------*- C++ -*-===//
//
// Takes a schedule and lets its transfers run beside its steps: a store starts
// as soon as its value is there and its source stays until it has ended, a load
// starts early enough to have ended when the value is read, both as far as
// the budget leaves room. The order of the steps, what is computed again and
// what is moved stay as they are.
//
// Not optimal: windows are granted one after another. Never slower than waiting
// for each transfer at once, and every answer goes through replay().
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_TIMELINE_OVERLAP_H
#define PEBBLE_SOLVER_TIMELINE_OVERLAP_H

#include "pebble/Solver/Timeline/Timeline.h"

namespace pebble::timeline {

/// A program and what replay() says of it.
struct Overlapped {
  std::vector<Action> actions;
  Timeline timeline;
};

/// The fastest program found that makes `moves`, a schedule that
/// game::verify() accepts within `budget`, with transfers beside steps. No
/// program that runs these steps and transfers ends before
/// max(timeline.computing, timeline.moving). Time O(r + m w) for r runs, m
/// moves and windows of w runs.
Overlapped overlapTransfers(const game::Problem &problem,
                            const std::vector<game::Move> &moves,
                            const Durations &durations,
                            std::optional<int64_t> budget = std::nullopt);

} // namespace pebble::timeline

#endif // PEBBLE_SOLVER_TIMELINE_OVERLAP_H
