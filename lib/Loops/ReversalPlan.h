//===- ReversalPlan.h - what is kept of a reversed loop ---------*- C++ -*-===//
//
// Which states of a loop are kept while it is reversed, and in which tiers.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_LOOPS_REVERSALPLAN_H
#define PEBBLE_LIB_LOOPS_REVERSALPLAN_H

#include "Loops/ReversalCosts.h"

#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Solver/Chain/TierTable.h"

namespace pebble {

/// Which states are kept while a loop is reversed.
struct ReversalPlan {
  enum Keeps {
    /// At most `slots` states, that before the first step among them; the
    /// others are computed again from the latest one that is kept, by the
    /// binomial schedule (Griewank and Walther, Algorithm 799, 2000).
    Binomial,
    /// States in both tiers, as `table` says, or, where the number of steps is
    /// known at run time alone, `segments` (Solver/Chain/TierTable.h).
    Tiers,
    /// Every state before a step, on a tape that is as long as the loop.
    All
  };
  Keeps keeps = Binomial;
  /// With Tiers, those of the compute tier, that of the first state included.
  int64_t slots = 1;
  /// Of the slots of a Binomial, how many are in `slowTier`: those at the
  /// bottom of the stack, after that of the first state, which are written and
  /// read least.
  int64_t slowSlots = 0;
  /// Steps from one state in the slower tier to the next, where all are
  /// equally far apart.
  int64_t period = 0;
  std::optional<ReversalCosts> costs;
  std::optional<chain::TierTable> table;
  std::optional<chain::TierSegments> segments;
  AtAttr slowTier;
  /// Where the arrays of each state are in the slower tier, which is
  /// `slowTier`, and how; one for each state, or none if as they are.
  llvm::SmallVector<AtAttr> slowPlaces;

  AtAttr getSlowPlace(unsigned state) const {
    return slowPlaces.empty() ? slowTier : slowPlaces[state];
  }
};

} // namespace pebble

#endif // PEBBLE_LIB_LOOPS_REVERSALPLAN_H
