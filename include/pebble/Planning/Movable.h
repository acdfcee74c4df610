//===- Movable.h - which contents may move between tiers --------*- C++ -*-===//
//
// A store needs a name for what it copies, and whatever is loaded must be all
// that anybody calls by that name. Says for each content of a block's problem
// how the block names it, or why it stays where it is. Decides nothing else and
// changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_MOVABLE_H
#define PEBBLE_PLANNING_MOVABLE_H

#include "pebble/Analysis/Storage.h"
#include "pebble/Solver/Game/Problem.h"

#include <string>
#include <vector>

namespace pebble {

/// One content of a storage.
struct Content {
  StorageId storage = 0;
  /// The argument, or the result of the step that writes it; null if the block
  /// has no name for it.
  mlir::Value name;
  /// Why it cannot be moved between tiers; empty if it can.
  std::string refusal;
};

/// One for each value of `problem`, which was built of the block of `storage`.
/// Time linear in accesses and uses.
std::vector<Content> getContents(const StorageAnalysis &storage,
                                 const game::Problem &problem);

} // namespace pebble

#endif // PEBBLE_PLANNING_MOVABLE_H
