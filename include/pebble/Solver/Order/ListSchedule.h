//===- ListSchedule.h - orders made in one sweep ----------------*- C++ -*-===//
//
// Constructive orders: where searches start, and all there is time for when a
// problem has a hundred thousand steps. None is optimal on graphs in general.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ORDER_LISTSCHEDULE_H
#define PEBBLE_SOLVER_ORDER_LISTSCHEDULE_H

#include "pebble/Solver/Order/FootprintGame.h"

#include <vector>

namespace pebble::graph {

/// Runs, at every moment, the ready step that leaves the fewest bytes live;
/// among equals the one with the smaller number. Play it on game.reversed() and
/// reverse the result for the same rule from the end, which is often better: it
/// asks what a value is needed for before it asks what makes it.
/// O((n + accesses) log n).
std::vector<Id> leastLiveOrder(const FootprintGame &game);

/// Post-order of a depth-first walk back from the last steps: runs what a step
/// needs right before it, largest predecessor subtree first. O(n + edges).
std::vector<Id> depthFirstOrder(const FootprintGame &game);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_ORDER_LISTSCHEDULE_H
