//===- DeadResults.h - regions without dead results (private) --*- C++ -*-===//
//
// Branches and loops of SCF that compute values alone, and what of them is
// needed for some of their results. A loop that writes a tape beside its own
// result becomes one that does not.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_DEADRESULTS_H
#define PEBBLE_LIB_PLANNING_DEADRESULTS_H

#include "pebble/Analysis/ProgramContext.h"

namespace pebble {

/// Whether `op` is an scf.if, for, while, execute_region or index_switch that
/// has no effects: each result may be computed by itself.
bool isDivisible(mlir::Operation *op, ProgramContext &context);

/// Takes all from `op`, which is divisible, that its result `number` does not
/// need, also from what is inside of it. What else is left is what that result
/// rests on. Returns what the result is now. Time linear in what is inside.
mlir::OpResult keepResult(mlir::Operation *op, unsigned number,
                          ProgramContext &context);

/// Takes results that nobody needs from all divisible ops of `block`.
void eraseDeadResults(mlir::Block &block, ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_DEADRESULTS_H
