//===- ReversalDriver.h - the code that reverses a loop ---------*- C++ -*-===//
//
// Writes the driver of a loop and its adjoint: loops around the three regions
// of a pebble.adjoint_loop whose code is as long for ten steps as for a
// billion. It decides nothing; how many slots there are, and in which tiers, is
// in the plan.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_TRANSFORMS_REVERSALDRIVER_H
#define PEBBLE_LIB_TRANSFORMS_REVERSALDRIVER_H

#include "ReversalCosts.h"

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

/// Whether a slot can hold a value of this type: a tensor of known shape whose
/// encoding is not taken, or a number.
bool isSlotType(mlir::Type type);

/// Fails, with an error at the loop, where a state is of no slot type.
llvm::LogicalResult checkLoopStates(AdjointLoopOp loop);

/// Steps run again, in an order of their own: fails, with an error at the
/// operation, where somebody may notice.
llvm::LogicalResult checkLoopSteps(AdjointLoopOp loop, ProgramContext &context);

/// Replaces `loop`, whose states are all of slot types, by its driver. The
/// states before the first step stay where they are, and are read there. The
/// loop of the driver that runs backward carries `note` as its
/// `pebble.reversal`, the other one an empty one.
void writeReversal(AdjointLoopOp loop, const ReversalPlan &plan,
                   mlir::DictionaryAttr note);

} // namespace pebble

#endif // PEBBLE_LIB_TRANSFORMS_REVERSALDRIVER_H
