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
#include "pebble/Solver/Game/Update.h"
#include "pebble/Solver/Graph/MoveSequence.h"

#include <string>
#include <vector>

namespace pebble::portfolio {

using game::Update;

/// `problem`, in which each of `updates` writes a storage of its own, as large
/// as the one that it overwrites, and its step makes the copy and pays for it.
/// Steps and values keep their ids. Whether steps may run again stays as it is.
game::Problem withFreshStorages(const game::Problem &problem,
                                const std::vector<Update> &updates);

/// withFreshStorages(), but that updates pay for no copy and take no memory
/// beside what they overwrite while they run. A schedule in which any choice of
/// them is out of place, and which runs steps again that update in place, is
/// one of this problem, costs no less there and takes no less memory. All bytes
/// are `room` more here, since no step takes less than nothing. No update is of
/// a pinned storage. Has one value more, the last one, which does not move.
game::Problem withFreeUpdates(const game::Problem &problem,
                              std::vector<Update> updates, int64_t &room);

/// Prices of transfers for that problem: the last value moves for nothing.
graph::MoveCosts withFreeUpdates(graph::MoveCosts prices);

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
