//===- NestedChain.h - dynamic programs on unequal chains -------*- C++ -*-===//
//
// The dynamic program of MenuChain.h on chains whose layers save their
// internals in one way: the published recurrence for persistent schedules, and
// the same with checkpoints given up and moved. Optimal among persistent and
// nested schedules as long as `window` and `points` leave nothing out. O(L^2 w)
// functions, O(L w) pairs of them to add up for each.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_CHAIN_NESTEDCHAIN_H
#define PEBBLE_LIB_SOLVER_CHAIN_NESTEDCHAIN_H

#include "pebble/Solver/Chain/Heterogeneous.h"
#include "pebble/Solver/Graph/Limits.h"

namespace pebble::chain {

struct NestedChainOptions {
  int64_t budget = 0;
  bool persistent = false;
  size_t window = SIZE_MAX;
  size_t points = 4096;
  const graph::StopSign *stop = nullptr;
};

/// The best nested schedule: Feasible, or Unknown where there is none or `stop`
/// went up (then it says `limited`). The bound is every step once.
ChainSchedule nestedChain(const HeterogeneousChain &chain,
                          const NestedChainOptions &options);

} // namespace pebble::chain

#endif // PEBBLE_LIB_SOLVER_CHAIN_NESTEDCHAIN_H
