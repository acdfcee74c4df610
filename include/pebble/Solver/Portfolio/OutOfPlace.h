//===- OutOfPlace.h - updates that need not be in place ---------*- C++ -*-===//
//
// A step that updates in place destroys what it reads, so neither it nor what
// reads the old content can run again (rule G9), unless the whole chain is one
// unit (StepUnits.h). Where the program allows it, the update may write a
// storage of its own instead. This file knows how the game then looks, which
// updates stand in the way, and which of them a schedule may leave in place
// after all. It searches nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_PORTFOLIO_OUTOFPLACE_H
#define PEBBLE_SOLVER_PORTFOLIO_OUTOFPLACE_H

#include "pebble/Solver/Game/Schedule.h"

#include <string>
#include <vector>

namespace pebble::portfolio {

/// An update in place that may as well write a storage of its own.
struct Update {
  /// What it writes, which overwrites another value.
  game::Id value = game::kNone;
  /// Some of the old content is part of the new one: it is copied first, each
  /// time that the step runs, at this cost.
  bool copies = false;
  int64_t copyCost = 0;
};

/// `problem`, in which each of `updates` writes a storage of its own, as large
/// as the one that it overwrites, and its step makes the copy and pays for it.
/// Steps and values keep their ids. Whether steps may run again stays as it is.
game::Problem withFreshStorages(const game::Problem &problem,
                                const std::vector<Update> &updates);

/// Those of `updates` that keep something from running again: they are not in
/// one unit with what they overwrite. An update that is so only because another
/// one before it is, is none of them. `runOnce` as for buildUnitProblem().
std::vector<Update> findBlocking(const game::Problem &problem,
                                 const std::vector<std::string> &runOnce,
                                 const std::vector<Update> &updates);

/// Those of `updates` that must be out of place for `moves`, a schedule in
/// which all of them are. The others find their old content dead whenever they
/// run, and may take its storage. Time O(moves + accesses) for each update at
/// most.
std::vector<Update> findNeeded(const game::Problem &problem,
                               const std::vector<Update> &updates,
                               const std::vector<game::Move> &moves);

} // namespace pebble::portfolio

#endif // PEBBLE_SOLVER_PORTFOLIO_OUTOFPLACE_H
