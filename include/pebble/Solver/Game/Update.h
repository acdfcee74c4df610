//===- Update.h - updates that need not be in place -------------*- C++ -*-===//
//
// A step that updates in place destroys what it overwrites (rule G9). Where the
// program allows it, the update may as well write a storage of its own. Then
// its step may run again.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_GAME_UPDATE_H
#define PEBBLE_SOLVER_GAME_UPDATE_H

#include "pebble/Solver/Game/Problem.h"

namespace pebble::game {

struct Update {
  /// What it writes, which overwrites another value.
  Id value = kNone;
  /// Some of the old content is part of the new one: it is copied first, each
  /// time that the step runs, at this cost.
  bool copies = false;
  int64_t copyCost = 0;
};

} // namespace pebble::game

#endif // PEBBLE_SOLVER_GAME_UPDATE_H
