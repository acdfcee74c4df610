//===- TieredMoves.cpp - the schedules behind the tables ------------------===//
//
// Walks the decisions of a TieredChain with a stack of what is still to be
// done, for the game and for whoever executes a loop.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Chain/TieredChain.h"

#include "MoveTasks.h"

#include <cassert>

using namespace pebble;
using namespace pebble::chain;

namespace {

using Part = TieredChain::Part;
using Step = TieredChain::Step;
using Decision = TieredChain::Decision;
using Base = TieredChain::Base;

/// The moves of the game.
class TieredMoves : public MoveTasks<Part> {
public:
  explicit TieredMoves(const TieredChain &chain)
      : chain(chain), g(chain.game()) {
    assert(chain.cost() < kImpossible);
    reverse(chain.whole());
  }

private:
  void expand(const Part &p) override {
    const Decision d = chain.decide(p);
    const auto tier = static_cast<int32_t>(d.tier) + 1;
    switch (d.step) {
    case Step::Reverse:
      return reverseStep(p);
    case Step::Keep:
    case Step::Leave:
      reverse(chain.below(p, d));
      if (d.step == Step::Leave)
        push(GameMoveKind::Load, p.at, tier);
      reverse(chain.above(p, d));
      return advance(p.at, p.at + d.split, d.step == Step::Keep);
    default:
      break;
    }
    reverse(chain.after(p, d));
    if (d.step == Step::Store)
      push(GameMoveKind::Store, p.at, tier);
    else if (d.step == Step::DropCopy)
      push(GameMoveKind::Drop, p.at, tier);
    else if (d.step == Step::DropOutput)
      push(GameMoveKind::Drop, p.at + p.length);
  }

  void reverseStep(const Part &p) {
    const int64_t output = p.at + 1;
    // The base is the output that the step before reads, where rules ask for
    // that.
    if (!g.rules.readsOutput && p.base != Base::Pinned)
      push(GameMoveKind::Drop, p.at);
    if (g.rules.adjointsTakeRoom)
      push(GameMoveKind::Drop, output, 0, /*adjoint=*/true);
    if (g.rules.readsOutput)
      push(GameMoveKind::Drop, output);
    push(GameMoveKind::Backward, output);
    if (!p.open)
      return;
    if (!g.rules.readsOutput)
      push(GameMoveKind::Drop, output);
    if (g.rules.adjointsTakeRoom || (g.seed > 0 && output == g.steps))
      push(GameMoveKind::Seed, 0);
    push(GameMoveKind::Forward, output);
  }

  const TieredChain &chain;
  const ChainGame &g;
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
