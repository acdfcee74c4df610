//===- NestedChain.h - dynamic programs on unequal chains -------*- C++ -*-===//
//
// Least time over schedules whose checkpoints are nested: what is kept last is
// given up first, and forward steps start from the checkpoint kept last.
//
//   D(r, l, t) least time from: a[r] is kept, d[t] is there
//                           to: d[l] is there               (r <= l <= t)
//   E(r, l, t) the same, with s[t] there too
//
// as step functions of the room m beside a[r]; X is what is there besides, d[t]
// or d[t] + abar[t]. A sweep r..k runs forward steps r+1..k and needs, at each,
// its input and result, overheads and X.
//
//   D(r, l, t) = min of
//     sweep r..t saving t,      then E(r, l, t)
//     sweep r..k keeping a[k],  then D(k, x, t)(m - a[k]),  D(r, l, x)
//     sweep r..k saving k,      then D(k, k, t)(m - abar[k]), E(r, l, k)
//   E(t-1, l, t) = B_t,         then D(t-1, l, t-1)
//   E(r, l, t) = min of
//     sweep r..k keeping a[k],  then E(k, x, t)(m - a[k]),  D(r, l, x)
//     sweep r..k saving k,      then E(k, k, t)(m - abar[k]), E(r, l, k)
//
// over r < k < t and max(k, l) <= x < t. With x > k the checkpoint a[k] is
// given up before its own backward step, which the published recurrence never
// does: that is the case x = k with E at r = t - 1 alone (`persistent`), and
// then the answer is the optimum of persistent schedules. The nested optimum is
// never dearer and needs no less memory than the optimum over all schedules.
//
// x - k is at most `window`. O(L^2 w) functions of at most `points` steps each,
// O(L w) pairs of them to add up for each. Where a function would have more
// steps, some are left out, on the safe side, and the answer may be dearer.
//
// Source of the persistent case: O. Beaumont, L. Eyraud-Dubois, J. Herrmann,
// A. Joly, A. Shilova, Optimal checkpointing for heterogeneous chains: how to
// train deep neural networks with limited memory (2019). Step functions in
// place of a table of rounded memory sizes, and the cases with x > k and with s
// saved away from a checkpoint, are this project's.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_CHAIN_NESTEDCHAIN_H
#define PEBBLE_SOLVER_CHAIN_NESTEDCHAIN_H

#include "pebble/Solver/Chain/Heterogeneous.h"
#include "pebble/Solver/Graph/StopSign.h"

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

#endif // PEBBLE_SOLVER_CHAIN_NESTEDCHAIN_H
