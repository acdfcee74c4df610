//===- ChainSearch.h - least time on unequal chains, exactly ----*- C++ -*-===//
//
// Best-first search (A*) over all schedules of a HeterogeneousChain: a state is
// the layer whose backward step is next, the activations that are kept and the
// internals that are saved. What may be left out without loss:
//
//   - Backward steps run once each, from L down to 1: of several runs only the
//     last one's result is read.
//   - What is saved stays until its backward step has read it. If it went
//     before, keeping the activation alone would have done, for less room.
//   - a[0] stays: nothing makes it again.
//   - Activations are dropped only to make room, no more than it takes.
//
// Lower bound of a state: what is kept cuts the layers into gaps, and each run
// of a forward step belongs to one gap. A gap costs at least the optimum of the
// gap alone: its left end there for nothing, and all the room but a[0]'s. These
// optima are found by the same search, short gaps first, each with the bounds
// of the shorter ones.
//
// Optimal, or proven infeasible, when it ends by itself. Exponential at worst;
// takes chains of up to 57 layers, and ends on some 20 layers.
//
// Written for this project.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_CHAIN_CHAINSEARCH_H
#define PEBBLE_LIB_SOLVER_CHAIN_CHAINSEARCH_H

#include "pebble/Solver/Chain/Heterogeneous.h"
#include "pebble/Solver/Graph/Limits.h"

namespace pebble::chain {

/// The longest chain whose states fit into words.
constexpr size_t kLongestSearched = 57;

struct ChainSearchOptions {
  int64_t budget = 0;
  /// Only cheaper schedules are asked for: Infeasible then says that there is
  /// none.
  int64_t below = kNever;
  /// States kept in all. 0: one million.
  uint64_t effort = 0;
  const graph::StopSign *stop = nullptr;
};

/// The cheapest schedule of a checked chain of at most kLongestSearched layers.
ChainSchedule chainSearch(const HeterogeneousChain &chain,
                          const ChainSearchOptions &options);

} // namespace pebble::chain

#endif // PEBBLE_LIB_SOLVER_CHAIN_CHAINSEARCH_H
