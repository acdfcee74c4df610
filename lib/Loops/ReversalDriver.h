//===- ReversalDriver.h - the code that reverses a loop ---------*- C++ -*-===//
//
// Writes the driver of a loop and its adjoint: loops around the three regions
// of a pebble.adjoint_loop whose code is as long for ten steps as for a
// billion. It decides nothing; how many slots there are, and in which tiers, is
// in the plan.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_LOOPS_REVERSALDRIVER_H
#define PEBBLE_LIB_LOOPS_REVERSALDRIVER_H

#include "Loops/ReversalPlan.h"

namespace pebble {

/// Replaces `loop`, whose states are all of slot types, by its driver. The
/// states before the first step stay where they are, and are read there. The
/// loop of the driver that runs backward carries `note` as its
/// `pebble.reversal`, the other one an empty one.
void writeReversal(AdjointLoopOp loop, const ReversalPlan &plan,
                   mlir::DictionaryAttr note);

} // namespace pebble

#endif // PEBBLE_LIB_LOOPS_REVERSALDRIVER_H
