//===- ForcedOrders.h - what a budget forces on every order -----*- C++ -*-===//
//
// Refutes a budget, or finds dependences that every order within it must
// respect besides those of the problem. The min-cut bound of a step v is asked
// again with one other step u forced before v, and with u forced after v: if
// one of the two does not fit the budget, the other is a dependence. Each new
// dependence raises other cuts; a cut over the budget, or a circle, refutes it.
// What is left is the same problem within the budget, with fewer orders, so
// ValleySearch goes on from there. Where nothing is forced any more, a pair of
// steps is ordered both ways and each case treated alike (branch and bound).
//
// One cut per step and one or two per pair of steps that are not ordered, most
// of them spared because an earlier cut's set, or a known order, shows that the
// pair fits both ways. Written for this project, after the probing that integer
// programming solvers do.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_ORDER_FORCEDORDERS_H
#define PEBBLE_LIB_SOLVER_ORDER_FORCEDORDERS_H

#include "ValleySearch.h"
#include "pebble/Solver/Graph/Limits.h"
#include "pebble/Solver/Order/FootprintGame.h"

#include <vector>

namespace pebble::graph {

struct ForcedOrdersOptions {
  /// What cuts may take (MaxFlow::work()), and steps that each search may try.
  uint64_t work = UINT64_MAX;
  uint64_t nodes = 20000;
  /// Cases that may be opened.
  unsigned cases = 64;
  bool threads = true;
  const StopSign *stop = nullptr;
  /// minCutBounds(game), if known already.
  const std::vector<int64_t> *bounds = nullptr;
};

struct ForcedOrdersResult {
  /// None: no order fits. Found: `order` does. Limit: neither is known.
  SearchEnd end = SearchEnd::Limit;
  std::vector<Id> order;
  /// Cuts made and what they took, and steps tried by searches.
  uint64_t cuts = 0, work = 0, nodes = 0;
};

/// Decides whether some order of `game` has a peak of at most `budget`.
ForcedOrdersResult decideBudget(const FootprintGame &game, int64_t budget,
                                const ForcedOrdersOptions &options);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_ORDER_FORCEDORDERS_H
