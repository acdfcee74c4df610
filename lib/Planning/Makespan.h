//===- Makespan.h - the clock of a block that moves values ------*- C++ -*-===//
//
// Where time is what counts, transfers run beside the steps: says when each of
// them starts and is waited for, how long the whole takes, and what no schedule
// beats. Private to Planning; the solvers behind it are Solver/Timeline and
// TransferBound.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_MAKESPAN_H
#define PEBBLE_LIB_PLANNING_MAKESPAN_H

#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Solver/Timeline/Overlap.h"

#include "mlir/Support/LLVM.h"

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

/// No schedule within `budget` ends before, whatever it moves and, if
/// `recompute`, runs again: one that computes for C and moves for M nanoseconds
/// takes at least a C + (1 - a) M of them for any a from 0 to 1, and what that
/// is at least transferBound() knows. INT64_MAX if nothing fits.
int64_t boundMakespan(const game::Problem &problem, int64_t budget,
                      const graph::MoveCosts &costs, bool recompute);

/// `costs` at `weight` percent, rounded down.
graph::MoveCosts scaleCosts(const graph::MoveCosts &costs, int64_t weight);

/// The moves that a program makes, each transfer where it starts.
std::vector<game::Move> getMoves(llvm::ArrayRef<timeline::Action> actions);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_MAKESPAN_H
