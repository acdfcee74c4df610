//===- LoopChecks.h - whether a loop can be reversed ------------*- C++ -*-===//
//
// What the states and the steps of a loop must be for its steps to run again
// from states that were kept.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_LOOPS_LOOPCHECKS_H
#define PEBBLE_LIB_LOOPS_LOOPCHECKS_H

#include "pebble/Analysis/ProgramContext.h"
#include "pebble/Dialect/PebbleOps.h"

namespace pebble {

/// Whether a slot can hold a value of this type: a tensor of known shape whose
/// encoding is not taken, or a number.
bool isSlotType(mlir::Type type);

/// Fails, with an error at the loop, where a state is of no slot type.
llvm::LogicalResult checkLoopStates(AdjointLoopOp loop);

/// Steps run again, in an order of their own: fails, with an error at the
/// operation, where somebody may notice.
llvm::LogicalResult checkLoopSteps(AdjointLoopOp loop, ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_LIB_LOOPS_LOOPCHECKS_H
