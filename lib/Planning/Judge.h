//===- Judge.h - what planners check of problems and answers ----*- C++ -*-===//
//
// A planner trusts neither the problem that it built nor the solver that
// answered: both are judged before anything is written.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_JUDGE_H
#define PEBBLE_LIB_PLANNING_JUDGE_H

#include "pebble/Analysis/Storage.h"
#include "pebble/Planning/BuildProblem.h"
#include "pebble/Solver/Game/Schedule.h"

namespace pebble {

/// Where things about the whole block are said.
mlir::Location getBlockLoc(const StorageAnalysis &analysis);

/// Emits an error, at the step if it is one, and fails unless `problem`, built
/// of the block of `analysis`, is a game.
llvm::LogicalResult checkProblem(const StorageAnalysis &analysis,
                                 const game::Problem &problem);

/// Replays `moves` under the rules of `problem`; the peak of the compute tier
/// as the block counts, and in `measured`, if given, all that was measured.
/// Emits an error and fails if a rule breaks.
llvm::FailureOr<int64_t>
replayPeak(const StorageAnalysis &analysis, const BlockProblem &built,
           const game::Problem &problem, const std::vector<game::Move> &moves,
           std::optional<int64_t> budget = std::nullopt,
           game::Replay *measured = nullptr);

/// Emits an error and fails unless the two peaks are one.
llvm::LogicalResult checkPeaksAgree(const StorageAnalysis &analysis,
                                    int64_t replayed, int64_t analysed);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_JUDGE_H
