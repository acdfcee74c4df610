//===- PeakCuts.h - fits runs into a budget, moment by moment ---*- C++ -*-===//
//
// Takes a list of runs that exceeds the budget and mends its fullest moment
// until none is too full. What waits at that moment is kept, or lost and made
// again when it is missed; what is made again needs its own inputs then. A
// minimum cut decides, at a price per byte (MomentCut.h). Parts of the graph
// that do not touch each other, such as the layers of a network, are told apart
// by the cuts themselves, and are lost one by one until the rest fits.
//
// Attempts after the first draw a weight for every value, so that others of the
// layers are lost, or others of their values. Each ends by taking out the runs
// that the budget has room for after all.
//
// Not optimal, except where the cost meets the bound it is given. An attempt
// makes some ten cuts for each moment that is too full; each is near-linear in
// the list. A training step of 6,000 steps takes some 50 ms.
//
// The cut of one moment is the one of rematClosureBound().
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_REMAT_PEAKCUTS_H
#define PEBBLE_LIB_SOLVER_REMAT_PEAKCUTS_H

#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Remat/RematGame.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pebble::graph {

struct PeakCutsOptions {
  int64_t budget = 0;
  /// First runs keep the order that they have in the starts.
  bool fixedOrder = false;
  /// Seeds the weights. Same problem, starts, seed and effort: same answer, on
  /// any machine.
  uint64_t seed = 0;
  /// Attempts. 0: a hundred, fewer on large problems.
  uint64_t effort = 0;
  /// An attempt ends without an answer once its cuts have looked at so many
  /// edges (MomentCut::work()).
  uint64_t work = UINT64_MAX;
  const StopSign *stop = nullptr;
  /// The first attempt from the first start does not look at `stop`.
  bool answersAtOnce = false;
  /// The first attempt from the first start was made before: `found` holds what
  /// came of it, or nothing.
  bool firstIsKnown = false;
  /// Stop at this cost: no schedule costs less.
  int64_t enough = 0;
};

/// Why it does not take a problem, as the rest of a sentence that starts with
/// "it"; empty if it does.
std::string peakCutsRefusal(const game::Problem &problem,
                            const RematMeans &means);

/// The cheapest schedule found from `starts`, one or more lists of runs that
/// make valid schedules but may exceed the budget. Status Feasible, Optimal
/// where it meets `options.enough`, or Unknown with the least peak seen in
/// `peak`. `found`, if given, gets the runs of the few cheapest schedules, the
/// cheapest one last.
game::Schedule peakCuts(const game::Problem &problem,
                        const std::vector<std::vector<game::Id>> &starts,
                        const PeakCutsOptions &options,
                        std::vector<std::vector<game::Id>> *found = nullptr);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_REMAT_PEAKCUTS_H
