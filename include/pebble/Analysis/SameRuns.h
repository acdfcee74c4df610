//===- SameRuns.h - do two functions with loops agree? ----------*- C++ -*-===//
//
// Proves two functions of StableHLO equal whose loops are other ones: those of
// a derivative and its tapes, and those of a driver that runs steps again. Both
// are run, with numbers for integers and expressions for all else. So a loop
// runs as often as it does, what is written to a place of an array is what is
// read there later, and each value has the number of its expression. They agree
// if they return the same expressions and have the same effects in the same
// order. It knows no schedule and no slots.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_SAMERUNS_H
#define PEBBLE_ANALYSIS_SAMERUNS_H

#include "pebble/Analysis/ProgramContext.h"

namespace pebble {

/// Emits an error at `after` and fails where the two, functions with one block
/// in one MLIRContext, are not proven equal. Where the two would run more than
/// `most` operations nothing is proven, `isTooLong` is set, and it succeeds.
/// Time linear in operations run, and in writes to an array for each read.
llvm::LogicalResult checkSameRuns(mlir::Operation *before,
                                  mlir::Operation *after,
                                  ProgramContext &context, int64_t most,
                                  bool &isTooLong);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_SAMERUNS_H
