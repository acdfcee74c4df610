//===- MoveTasks.h - a stack of moves still to be made ----------*- C++ -*-===//
//
// The schedules of dynamic programs over chains come out of a stack of tasks: a
// move, an advance, or a part of the chain, which is taken apart when its turn
// comes. What is done first is pushed last. Private to this folder.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_CHAIN_MOVETASKS_H
#define PEBBLE_LIB_SOLVER_CHAIN_MOVETASKS_H

#include "pebble/Solver/Chain/ChainGame.h"

#include <vector>

namespace pebble::chain {

template <typename Part>
class MoveTasks : public GameMoveStream {
public:
  bool next(GameMove &move) override {
    while (!tasks.empty()) {
      const Task task = tasks.back();
      tasks.pop_back();
      switch (task.kind) {
      case Kind::Move:
        move = task.move;
        return true;
      case Kind::Advance:
        if (task.from + 1 < task.to)
          advance(task.from + 1, task.to, false);
        if (!task.keep)
          push(GameMoveKind::Drop, task.from);
        move = {GameMoveKind::Forward, task.from + 1, false, 0};
        return true;
      case Kind::Reverse:
        expand(task.part);
      }
    }
    return false;
  }

protected:
  /// Pushes what reverses a part.
  virtual void expand(const Part &part) = 0;

  void push(GameMoveKind kind, int64_t index, int32_t tier = 0,
            bool adjoint = false) {
    tasks.push_back(
        {Kind::Move, {kind, index, adjoint, tier}, {}, 0, 0, false});
  }
  /// From state `from` to state `to`; `keep` leaves the first one where it is.
  void advance(int64_t from, int64_t to, bool keep) {
    tasks.push_back({Kind::Advance, {}, {}, from, to, keep});
  }
  void reverse(const Part &part) {
    tasks.push_back({Kind::Reverse, {}, part, 0, 0, false});
  }

private:
  enum class Kind { Move, Advance, Reverse };
  struct Task {
    Kind kind;
    GameMove move;
    Part part;
    int64_t from, to;
    bool keep;
  };
  std::vector<Task> tasks;
};

} // namespace pebble::chain

#endif // PEBBLE_LIB_SOLVER_CHAIN_MOVETASKS_H
