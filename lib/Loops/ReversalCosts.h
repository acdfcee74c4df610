//===- ReversalCosts.h - prices of a loop's steps and states ----*- C++ -*-===//
//
// What a forward step of a loop, and the way of a state to a slower tier and
// back, cost beside each other: as the user says, or by the hierarchy.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_LOOPS_REVERSALCOSTS_H
#define PEBBLE_LIB_LOOPS_REVERSALCOSTS_H

#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Dialect/PebbleOps.h"
#include "pebble/Planning/StepCosts.h"

namespace pebble {

/// The most that anything may be said to cost.
inline constexpr int64_t kMostCost = int64_t(1) << 40;

/// In one unit.
struct ReversalCosts {
  int64_t forward = 0, store = 0, load = 0;
};

/// What a user says of them, in the ranges that the pass checks.
struct GivenCosts {
  std::optional<int64_t> forward, store, load;
};

/// The costs of `loop`, whose states take `stateBytes` bytes in `slow`: those
/// given, a forward step costing 1 if nothing is said of it; else, by
/// `objective`,
///
///   time    nanoseconds: `pebble.cost`, or the bytes that the operations of a
///           step read and write at the compute tier's bandwidth and latency; a
///           state's bytes at the bandwidth of the slower tier
///   energy  femtojoules: the arithmetic and the bytes of a step; a state's
///           bytes, read in the one tier and written in the other
///
/// divided by a common factor, and rounded up where numbers are large. Nothing
/// where the hierarchy does not say what that takes. Fails with an error at the
/// loop where given costs make no sense.
llvm::FailureOr<std::optional<ReversalCosts>>
priceReversal(AdjointLoopOp loop, const GivenCosts &given, TierAttr slow,
              int64_t stateBytes, ScheduleObjective objective,
              ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_LIB_LOOPS_REVERSALCOSTS_H
