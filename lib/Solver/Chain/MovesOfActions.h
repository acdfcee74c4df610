//===- MovesOfActions.h - actions of a loop as moves of the game *- C++ -*-===//
//
// Private to this folder: the moves of ChainGame.h behind a stream of actions,
// under rules `revolve` and `hrevolve`. Snapshots in tier 0 are values that
// stay there; the working state is one more value, which a forward step
// overwrites.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_CHAIN_MOVESOFACTIONS_H
#define PEBBLE_LIB_SOLVER_CHAIN_MOVESOFACTIONS_H

#include "pebble/Solver/Chain/Actions.h"
#include "pebble/Solver/Chain/ChainGame.h"

#include <cassert>
#include <memory>
#include <unordered_set>

namespace pebble::chain {

class MovesOfActions : public GameMoveStream {
public:
  explicit MovesOfActions(std::unique_ptr<ActionStream> actions)
      : actions(std::move(actions)) {}

  bool next(GameMove &move) override {
    for (;;) {
      if (dropped >= 0) {
        move = {GameMoveKind::Drop, dropped, false, 0};
        dropped = -1;
        return true;
      }
      if (loads) {
        loads = false;
        move = load;
        return true;
      }
      if (working < to) {
        move = {GameMoveKind::Forward, working + 1, false, 0};
        leave();
        ++working;
        return true;
      }
      Action a;
      if (!actions->next(a))
        return false;
      if (act(a, move))
        return true;
    }
  }

private:
  /// The working state makes way; its value goes unless it is a snapshot.
  void leave() {
    if (working >= 0 && held.count(working) == 0)
      dropped = working;
  }

  /// Whether the action has a move of its own, and what it is.
  bool act(const Action &a, GameMove &move) {
    switch (a.kind) {
    case ActionKind::Advance:
      to = a.to;
      return false;
    case ActionKind::Snapshot:
      if (a.tier == 0)
        held.insert(a.from);
      move = {GameMoveKind::Store, a.from, false, a.tier};
      return a.tier > 0;
    case ActionKind::Restore:
      leave();
      loads = a.tier > 0;
      load = {GameMoveKind::Load, a.from, false, a.tier};
      working = to = a.from;
      return false;
    case ActionKind::Free:
      move = {GameMoveKind::Drop, a.from, false, a.tier};
      if (a.tier > 0)
        return true;
      held.erase(a.from);
      return a.from != working;
    case ActionKind::Backward:
      move = {GameMoveKind::Backward, a.from + 1, false, 0};
      leave();
      working = to = -1;
      return true;
    case ActionKind::Turn:
      return false;
    case ActionKind::Tape:
      assert(false && "the game knows no tapes");
      return false;
    }
    return false;
  }

  std::unique_ptr<ActionStream> actions;
  std::unordered_set<int64_t> held;
  int64_t working = 0, to = 0, dropped = -1;
  bool loads = false;
  GameMove load;
};

} // namespace pebble::chain

#endif // PEBBLE_LIB_SOLVER_CHAIN_MOVESOFACTIONS_H
