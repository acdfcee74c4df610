//===- Judge.cpp - what planners check of problems and answers ------------===//

#include "Judge.h"

using namespace mlir;

namespace pebble {

Location getBlockLoc(const StorageAnalysis &analysis) {
  return analysis.getBlock()->getParentOp()->getLoc();
}

LogicalResult checkProblem(const StorageAnalysis &analysis,
                           const game::Problem &problem) {
  game::Verdict verdict = game::check(problem);
  if (verdict.ok())
    return success();
  bool isStep = verdict.at < analysis.getSteps().size();
  Location loc = isStep ? analysis.getSteps()[verdict.at].op->getLoc()
                        : getBlockLoc(analysis);
  return emitError(loc) << "cannot plan this block: [" << verdict.rule << "] "
                        << verdict.message;
}

FailureOr<int64_t>
replayPeak(const StorageAnalysis &analysis, const BlockProblem &built,
           const game::Problem &problem, const std::vector<game::Move> &moves,
           std::optional<int64_t> budget, game::Replay *measured) {
  game::Replay replay = game::verify(problem, moves, budget);
  if (measured)
    *measured = replay;
  if (!replay.verdict.ok())
    return emitError(getBlockLoc(analysis))
           << "internal error: the solver's answer breaks ["
           << replay.verdict.rule << "] " << replay.verdict.message;
  return replay.peak[0] - built.peakOffset;
}

LogicalResult checkPeaksAgree(const StorageAnalysis &analysis, int64_t replayed,
                              int64_t analysed) {
  if (replayed == analysed)
    return success();
  return emitError(getBlockLoc(analysis))
         << "internal error: the replayed peak is " << replayed
         << " bytes, the analysed one " << analysed << " bytes";
}

} // namespace pebble
