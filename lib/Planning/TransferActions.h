//===- TransferActions.h - what a block does to move values -----*- C++ -*-===//
//
// Carries moves between tiers from the game to the block: what they are
// accounted for, and which actions carry them out. Private to Planning.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_TRANSFERACTIONS_H
#define PEBBLE_LIB_PLANNING_TRANSFERACTIONS_H

#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/PlanSchedule.h"
#include "pebble/Solver/Graph/MoveSequence.h"
#include "pebble/Solver/Timeline/Timeline.h"

namespace pebble {

/// The steps that `moves` run.
std::vector<unsigned> getRunsOf(const std::vector<game::Move> &moves);

/// Writes down in `plan` what `moves` move, as `replay` has measured it.
void noteTransfers(const StorageAnalysis &analysis, const BlockProblem &built,
                   const std::vector<game::Move> &moves,
                   const game::Replay &replay, const graph::MoveCosts &costs,
                   SchedulePlan &plan);

/// Writes down in `plan`, whose runs are known, what is live at most while each
/// step runs. `offset` is what `replay` counts on top of the block's bytes.
void noteStepPeaks(const StorageAnalysis &analysis,
                   const std::vector<game::Move> &moves,
                   const game::Replay &replay, int64_t offset,
                   bool countArguments, SchedulePlan &plan);

/// What a block does to carry out a program of its game.
std::vector<BlockAction> toActions(const BlockProblem &built,
                                   HierarchyAttr hierarchy,
                                   llvm::ArrayRef<timeline::Action> program);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_TRANSFERACTIONS_H
