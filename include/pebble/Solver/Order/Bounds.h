//===- Bounds.h - what no order can go under --------------------*- C++ -*-===//
//
// Lower bounds on the peak of orders that run every step once. They know no
// solver: an answer whose peak meets a bound is optimal, whoever found it.
//
// The min-cut bound. When step v runs, the set S of steps that have run before
// it holds all ancestors of v, and neither v nor a descendant. Over all such
// sets the least live(S) is a minimum cut, because live is the cut function of
// a directed hypergraph: a storage costs its footprint if a step that opens it
// is in S and a step that closes it is not. So no order runs v with fewer live
// bytes than that cut plus what v allocates, and the largest of these over all
// steps bounds every peak. Sets are cut by Dinic's algorithm: O(n) cuts at
// worst; the bound alone skips steps that cannot raise it, most of them.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ORDER_BOUNDS_H
#define PEBBLE_SOLVER_ORDER_BOUNDS_H

#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Graph/StepGraph.h"
#include "pebble/Solver/Order/FootprintGame.h"

#include <vector>

namespace pebble::graph {

/// A bound and the step at which it binds (kNone if no single one).
struct PeakBound {
  int64_t bytes = 0;
  Id step = kNone;
  /// Whether every step that could raise the bound was looked at.
  bool complete = true;
  /// What the cuts took (MaxFlow::work()).
  uint64_t work = 0;
};

/// The largest working set of one step, what is kept from the start, and what
/// is there at the end. O(accesses).
PeakBound workingSetBound(const FootprintGame &game);

/// The min-cut bound. `orders` are known legal orders: their footprints tell
/// which steps cannot raise the bound. `stop`, if given, and `workLimit` end
/// the work early with the bound so far.
PeakBound minCutBound(const FootprintGame &game,
                      const std::vector<std::vector<Id>> &orders,
                      const StopSign *stop = nullptr,
                      uint64_t workLimit = UINT64_MAX);

/// The min-cut bound of every single step, none skipped.
std::vector<int64_t> minCutBounds(const FootprintGame &game);

/// A set of steps that can have run before `step`, with as few live bytes as
/// any such set: where the min-cut bound of `step` binds. The smallest one.
std::vector<bool> minCutSet(const FootprintGame &game, Id step);

/// The larger of both bounds for a checked problem.
int64_t peakLowerBound(const Problem &problem);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_ORDER_BOUNDS_H
