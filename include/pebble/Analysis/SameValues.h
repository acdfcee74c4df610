//===- SameValues.h - do two functions of tensors agree? --------*- C++ -*-===//
//
// Proves two functions equal that work on values alone, however their
// operations are grouped: calls and steps are opened, barriers and opaque
// identities are what they take, and what is computed twice counts once. Each
// value gets the number of its expression, and the functions agree if they
// return the same numbers and have the same effects in the same order. It knows
// no plan and no grouping: what those got wrong, this does not repeat.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_SAMEVALUES_H
#define PEBBLE_ANALYSIS_SAMEVALUES_H

#include "pebble/Analysis/ProgramContext.h"

namespace pebble {

/// Emits an error at `after` and fails where the two, functions with one block
/// in one MLIRContext, are not proven equal. Each looks up the symbols that it
/// calls where it stands. Time linear in operations and operands, calls opened.
llvm::LogicalResult checkSameValues(mlir::Operation *before,
                                    mlir::Operation *after,
                                    ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_SAMEVALUES_H
