//===- TieredMoves.cpp - the schedules behind the tables ------------------===//
//
// Walks the decisions of a TieredChain with a stack of what is still to be
// done, for the game and for whoever executes a loop.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Chain/TieredChain.h"

#include <cassert>

using namespace pebble;
using namespace pebble::chain;

namespace {

using Part = TieredChain::Part;
using Step = TieredChain::Step;
using Decision = TieredChain::Decision;
using Base = TieredChain::Base;

/// The moves of the game.
class TieredMoves : public GameMoveStream {
public:
  explicit TieredMoves(const TieredChain &chain)
      : chain(chain), g(chain.game()) {
    assert(chain.cost() < kImpossible);
    tasks.push_back(reverse(chain.whole()));
  }

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
          tasks.push_back(advance(task.from + 1, task.to, false));
        if (!task.keep)
          drop(task.from, false);
        move = {GameMoveKind::Forward, task.from + 1, false, 0};
        return true;
      case Kind::Reverse:
        expand(task.part);
      }
    }
    return false;
  }

private:
  enum class Kind { Move, Advance, Reverse };
  struct Task {
    Kind kind;
    GameMove move;
    Part part;
    int64_t from = 0, to = 0;
    bool keep = false;
  };

  static Task reverse(const Part &part) {
    Task t{Kind::Reverse, {}, part};
    return t;
  }
  static Task advance(int64_t from, int64_t to, bool keep) {
    Task t{Kind::Advance, {}, {}};
    t.from = from;
    t.to = to;
    t.keep = keep;
    return t;
  }
  void move(GameMoveKind kind, int64_t index, bool adjoint = false,
            int32_t tier = 0) {
    tasks.push_back({Kind::Move, {kind, index, adjoint, tier}, {}});
  }
  void drop(int64_t index, bool adjoint, int32_t tier = 0) {
    move(GameMoveKind::Drop, index, adjoint, tier);
  }

  /// What is done first is pushed last.
  void expand(const Part &p) {
    const Decision d = chain.decide(p);
    const auto tier = static_cast<int32_t>(d.tier) + 1;
    switch (d.step) {
    case Step::Reverse:
      return reverseStep(p);
    case Step::Keep:
    case Step::Leave:
      tasks.push_back(reverse(chain.below(p, d)));
      if (d.step == Step::Leave)
        move(GameMoveKind::Load, p.at, false, tier);
      tasks.push_back(reverse(chain.above(p, d)));
      tasks.push_back(advance(p.at, p.at + d.split, d.step == Step::Keep));
      return;
    default:
      break;
    }
    tasks.push_back(reverse(chain.after(p, d)));
    if (d.step == Step::Store)
      move(GameMoveKind::Store, p.at, false, tier);
    else if (d.step == Step::DropCopy)
      drop(p.at, false, tier);
    else if (d.step == Step::DropOutput)
      drop(p.at + p.length, false);
  }

  void reverseStep(const Part &p) {
    const int64_t output = p.at + 1;
    // The base is the output that the step before reads, where rules ask for
    // that.
    if (!g.rules.readsOutput && p.base != Base::Pinned)
      drop(p.at, false);
    if (g.rules.adjointsTakeRoom)
      drop(output, true);
    if (g.rules.readsOutput)
      drop(output, false);
    move(GameMoveKind::Backward, output);
    if (!p.open)
      return;
    if (!g.rules.readsOutput)
      drop(output, false);
    if (g.rules.adjointsTakeRoom || (g.seed > 0 && output == g.steps))
      move(GameMoveKind::Seed, 0);
    move(GameMoveKind::Forward, output);
  }

  const TieredChain &chain;
  const ChainGame &g;
  std::vector<Task> tasks;
};

/// The actions of a loop.
class TieredActions : public ActionStream {
public:
  explicit TieredActions(const TieredChain &chain)
      : chain(chain), used(chain.game().tiers.size() + 1, 0) {
    assert(chain.cost() < kImpossible);
    reverse(chain.whole(), -1, -1);
  }

  bool next(Action &action) override {
    while (!tasks.empty()) {
      const Task task = tasks.back();
      tasks.pop_back();
      if (task.isPart) {
        expand(task);
        continue;
      }
      action = task.action;
      return true;
    }
    return false;
  }

private:
  struct Task {
    bool isPart;
    Action action;
    Part part;
    /// Slots of the base in tier 0 and in part.tier; -1 if there is none.
    int64_t fastSlot = -1, slot = -1;
    /// A tier whose last slot is free from now on; 0 for none.
    size_t release = 0;
  };

  void reverse(const Part &part, int64_t fastSlot, int64_t slot) {
    tasks.push_back({true, {}, part, fastSlot, slot, 0});
  }
  void act(ActionKind kind, int64_t from, int64_t to, size_t tier = 0,
           int64_t slot = 0) {
    tasks.push_back({false,
                     {kind, from, to, static_cast<int32_t>(tier), slot},
                     {},
                     -1,
                     -1,
                     0});
  }

  void expand(const Task &task) {
    const Part &p = task.part;
    const Decision d = chain.decide(p);
    const size_t tier = d.tier + 1;
    int64_t fastSlot = task.fastSlot, slot = task.slot;
    if (task.release > 0)
      --used[task.release];
    switch (d.step) {
    case Step::Reverse:
      act(ActionKind::Backward, p.at, p.at);
      if (!turned)
        act(ActionKind::Turn, p.at, chain.game().steps);
      turned = true;
      if (fastSlot >= 0) {
        --used[0];
        act(ActionKind::Free, p.at, p.at, 0, fastSlot);
      }
      return;
    case Step::Keep: {
      const bool fresh = fastSlot < 0;
      if (fresh)
        fastSlot = used[0]++;
      reverse(chain.below(p, d), fastSlot, slot);
      act(ActionKind::Restore, p.at, p.at, 0, fastSlot);
      reverse(chain.above(p, d), -1, -1);
      act(ActionKind::Advance, p.at, p.at + d.split);
      if (fresh)
        act(ActionKind::Snapshot, p.at, p.at, 0, fastSlot);
      return;
    }
    case Step::Leave:
      if (chain.game().readOnce) {
        reverse(chain.below(p, d), -1, -1);
        tasks.back().release = tier;
        act(ActionKind::Free, p.at, p.at, tier, slot);
      } else {
        reverse(chain.below(p, d), -1, slot);
      }
      act(ActionKind::Restore, p.at, p.at, tier, slot);
      reverse(chain.above(p, d), -1, -1);
      act(ActionKind::Advance, p.at, p.at + d.split);
      return;
    case Step::Store:
      slot = used[tier]++;
      reverse(chain.after(p, d), fastSlot, slot);
      act(ActionKind::Snapshot, p.at, p.at, tier, slot);
      return;
    case Step::DropCopy:
      --used[tier];
      reverse(chain.after(p, d), fastSlot, -1);
      act(ActionKind::Free, p.at, p.at, tier, slot);
      return;
    case Step::Fast:
    case Step::DropOutput:
      reverse(chain.after(p, d), fastSlot, slot);
      return;
    }
  }

  const TieredChain &chain;
  std::vector<int64_t> used;
  bool turned = false;
  std::vector<Task> tasks;
};

} // namespace

std::unique_ptr<GameMoveStream> TieredChain::moves() const {
  return std::make_unique<TieredMoves>(*this);
}

std::unique_ptr<ActionStream> TieredChain::actions() const {
  assert(moments == 1 && !g.rules.pinned);
  return std::make_unique<TieredActions>(*this);
}
