//===- Wishes.h - what the user asked for -----------------------*- C++ -*-===//
//
// `pebble.recompute` and `pebble.offload` pin a decision. Says whether there
// are such wishes, and whether they can be followed: private to Planning.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_WISHES_H
#define PEBBLE_LIB_PLANNING_WISHES_H

#include "pebble/Analysis/Storage.h"
#include "pebble/Planning/StepUnits.h"

namespace pebble {

/// Whether something is wanted that no order alone gives.
bool hasWishes(const game::Problem &problem);

/// Emits an error at the op and fails if a wish to recompute cannot be
/// followed, or if one needs means that are not allowed. `units` has every
/// chain in one.
llvm::LogicalResult checkRecomputeWishes(const StorageAnalysis &analysis,
                                         const UnitProblem &units,
                                         bool recompute, bool offload);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_WISHES_H
