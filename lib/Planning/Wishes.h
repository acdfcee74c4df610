//===- Wishes.h - what the user asked for -----------------------*- C++ -*-===//
//
// `pebble.recompute` and `pebble.offload` pin a decision. Says whether there
// are such wishes, and whether they can be followed: private to Planning.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_WISHES_H
#define PEBBLE_LIB_PLANNING_WISHES_H

#include "pebble/Analysis/Storage.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Solver/Portfolio/StepUnits.h"

namespace pebble {

/// Whether something is wanted that no order alone gives.
bool hasWishes(const game::Problem &problem);

/// Emits an error at the op and fails if a wish to recompute cannot be
/// followed, or if one needs means that are not allowed. `units` has every
/// chain in one.
llvm::LogicalResult checkRecomputeWishes(const StorageAnalysis &analysis,
                                         const portfolio::UnitProblem &units,
                                         bool recompute, bool offload);

/// Emits an error and fails if a wish to offload cannot be followed, whatever
/// the budget. `built` knows what may move.
llvm::LogicalResult checkOffloadWishes(const StorageAnalysis &analysis,
                                       const BlockProblem &built);

/// The wishes to offload out of `problem`: by value the tier that is wanted, 0
/// for none. Empty where nobody has such a wish.
std::vector<game::Id> takeWantedTiers(const StorageAnalysis &analysis,
                                      game::Problem &problem);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_WISHES_H
