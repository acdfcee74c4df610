//===- TransferActions.cpp - what a block does to move values -------------===//

#include "TransferActions.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/RunBounds.h"
#include "pebble/Dialect/DimBounds.h"

using namespace mlir;

namespace pebble {

std::vector<unsigned> getRunsOf(const std::vector<game::Move> &moves) {
  std::vector<unsigned> runs;
  for (const game::Move &move : moves)
    if (move.kind == game::MoveKind::Compute)
      runs.push_back(move.subject);
  return runs;
}

void noteTransfers(const StorageAnalysis &analysis, const BlockProblem &built,
                   const std::vector<game::Move> &moves,
                   const game::Replay &replay, const graph::MoveCosts &costs,
                   SchedulePlan &plan) {
  plan.movesAll =
      llvm::all_of(analysis.getStorages(),
                   [](const Storage &entry) { return entry.tier.empty(); }) &&
      llvm::all_of(analysis.getSteps(), [&](const Step &step) {
        InnerMoves inner = collectInnerMoves(step.op, analysis.getContext());
        return step.slowScratch.empty() && inner.bytes.empty() &&
               inner.areKnown;
      });
  const game::Problem &p = built.problem;
  size_t compute = p.hierarchy.computeTier();
  const std::string &fast = p.hierarchy.tiers[compute].name;
  for (size_t tier = 1; tier < replay.peak.size(); ++tier) {
    const std::string &slow = p.hierarchy.tiers[compute + tier].name;
    if (replay.peak[tier])
      plan.slowPeaks[slow] = replay.peak[tier];
    if (replay.stored[tier])
      plan.moved[fast + "->" + slow] = replay.stored[tier];
    if (replay.loaded[tier])
      plan.moved[slow + "->" + fast] = replay.loaded[tier];
  }
  for (const game::Move &move : moves)
    if (graph::isTransfer(move))
      plan.transferCost = addCounts(
          plan.transferCost, (move.kind == game::MoveKind::Store
                                  ? costs.stores
                                  : costs.loads)[move.tier][move.subject]);
}

void noteStepPeaks(const StorageAnalysis &analysis,
                   const std::vector<game::Move> &moves,
                   const game::Replay &replay, int64_t offset,
                   bool countArguments, SchedulePlan &plan) {
  plan.stepPeaks.assign(plan.costs.size(), 0);
  if (plan.isOrder()) {
    LifetimeAnalysis lifetime(analysis, plan.runs);
    for (auto [at, step] : llvm::enumerate(plan.runs))
      plan.stepPeaks[step] = countArguments
                                 ? lifetime.getLiveBytes(at)
                                 : lifetime.getIntermediatesBytes(at);
    return;
  }
  for (size_t at = 0; at < moves.size() && at < replay.live.size(); ++at) {
    int64_t live = replay.live[at] - offset;
    if (moves[at].kind == game::MoveKind::Compute)
      plan.stepPeaks[moves[at].subject] =
          std::max(plan.stepPeaks[moves[at].subject], live);
    else if (moves[at].kind != game::MoveKind::Drop)
      plan.transferPeak = std::max(plan.transferPeak, live);
  }
}

std::vector<BlockAction> toActions(const BlockProblem &built,
                                   HierarchyAttr hierarchy,
                                   ArrayRef<timeline::Action> program) {
  std::vector<BlockAction> actions;
  auto addTransfer = [&](BlockAction::Kind kind,
                         const timeline::Action &action) {
    TierAttr tier =
        hierarchy.getTiers()[hierarchy.getComputeTierIndex() + action.tier];
    actions.push_back(
        {kind, 0, built.contents[action.subject].name, tier.getName()});
  };
  for (const timeline::Action &action : program)
    switch (action.kind) {
    case timeline::ActionKind::Run:
      actions.push_back({BlockAction::Run, action.subject, {}, {}});
      break;
    case timeline::ActionKind::Wait:
      actions.push_back({BlockAction::Wait, action.subject, {}, {}});
      break;
    case timeline::ActionKind::Store:
      addTransfer(BlockAction::Store, action);
      break;
    case timeline::ActionKind::Load:
      addTransfer(BlockAction::Load, action);
      break;
    case timeline::ActionKind::Drop:
      break;
    }
  return actions;
}

} // namespace pebble
