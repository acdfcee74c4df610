//===- Updates.h - updates that need not be in place ------------*- C++ -*-===//
//
// A tensor that is written over an older one destroys it, so a block that
// updates in place can run fewer of its steps again than one that does not. To
// whom the program shows nothing of the difference the update may write a
// storage of its own. Says of which updates that holds, and writes down those
// that a planner chose. Chooses nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_UPDATES_H
#define PEBBLE_PLANNING_UPDATES_H

#include "pebble/Analysis/Storage.h"
#include "pebble/Planning/StepCosts.h"
#include "pebble/Solver/Portfolio/OutOfPlace.h"

#include <string>
#include <vector>

namespace pebble {

struct SchedulePlan;

/// A result that is written in place and need not be.
struct FreeUpdate {
  mlir::OpResult result;
  /// The value that it is in the block's game.
  game::Id value = game::kNone;
  /// What it overwrites, for people.
  std::string overwrites;
  /// Bytes that it takes in a storage of its own.
  int64_t bytes = 0;
  /// Some of the old content is part of the new one, so that it has to be
  /// copied first, at this cost in the unit of the objective.
  bool copies = false;
  int64_t copyCost = 0;
};

/// The updates of the block of `storage`, whose game is `problem`, that nobody
/// asked to be in place: those of destination-style operations without effects
/// on tensors that were made in the block, or that a caller gave away and gets
/// nothing back in. Nobody has wishes for these tensors or frees them. Time
/// linear in accesses and operations.
std::vector<FreeUpdate> getFreeUpdates(const StorageAnalysis &storage,
                                       const game::Problem &problem,
                                       ScheduleObjective objective,
                                       HierarchyAttr hierarchy);

/// Writes the results of `plan.outOfPlace` into storages of their own, and
/// proves that the block computes the same. Then `storage` is an analysis of
/// the block as it is, and `plan` speaks of its steps. Emits an error and fails
/// if the proof does.
llvm::LogicalResult writeOutOfPlace(std::unique_ptr<StorageAnalysis> &storage,
                                    ProgramContext &context,
                                    SchedulePlan &plan);

/// Says of each update that `plan` makes out of place what that takes, as
/// remarks of `category`.
void remarkOnUpdates(const StorageAnalysis &storage, const SchedulePlan &plan,
                     llvm::StringRef category);

} // namespace pebble

#endif // PEBBLE_PLANNING_UPDATES_H
