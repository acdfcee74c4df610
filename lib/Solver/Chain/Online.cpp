//===- Online.cpp - loops whose trip count is known at the end ------------===//

#include "Online.h"

#include <cassert>

using namespace pebble;
using namespace pebble::chain;

OnlineActions::OnlineActions(int64_t slots, int32_t tier)
    : slots(slots), tier(tier) {
  assert(slots >= 1);
}

int64_t OnlineActions::freshSlot() {
  if (freed.empty())
    return unused++;
  const int64_t slot = freed.back();
  freed.pop_back();
  return slot;
}

/// Slots of a gap: that of its base, then the free ones.
int64_t OnlineActions::physicalSlot(int64_t innerSlot) const {
  if (innerSlot == 0)
    return base.slot;
  const auto reused = static_cast<int64_t>(freed.size());
  return innerSlot <= reused ? freed[static_cast<size_t>(innerSlot) - 1]
                             : unused + innerSlot - reused - 1;
}

bool OnlineActions::next(Action &action) {
  for (;;) {
    switch (phase) {
    case Phase::Decide: {
      // The working state counts as the newest one.
      if (static_cast<int64_t>(kept.size()) < slots) {
        phase = Phase::Snapshot;
        break;
      }
      if (firstIdle < lastIdle) {
        // Any would do; the latest costs least on the average.
        --lastIdle;
        const Kept idle = kept[lastIdle];
        kept.erase(kept.begin() + static_cast<ptrdiff_t>(lastIdle));
        freed.push_back(idle.slot);
        action = {ActionKind::Free, idle.state, idle.state, tier, idle.slot};
        phase = Phase::Snapshot;
        return true;
      }
      ++level;
      firstIdle = lastIdle = kept.size();
      while (kept[firstIdle - 1].level < level)
        --firstIdle;
      phase = Phase::Advance;
      break;
    }
    case Phase::Snapshot:
      kept.push_back({state, level, freshSlot()});
      level = 0;
      action = {ActionKind::Snapshot, state, state, tier, kept.back().slot};
      phase = Phase::Advance;
      return true;
    case Phase::Advance:
      action = {ActionKind::Advance, state, state + 1};
      ++state;
      phase = Phase::Decide;
      return true;
    case Phase::Turn:
      action = {ActionKind::Turn, state, state};
      phase = Phase::Reverse;
      return true;
    case Phase::Reverse:
      return reverse(action);
    }
  }
}

void OnlineActions::finish() {
  assert(phase == Phase::Decide);
  phase = Phase::Turn;
}

bool OnlineActions::reverse(Action &action) {
  while (!inner || !inner->next(action)) {
    if (inner)
      freed.push_back(base.slot);
    if (kept.empty()) {
      inner = nullptr;
      // Nothing is left: an end that stays one.
      state = 0;
      return false;
    }
    base = kept.back();
    kept.pop_back();
    inner = std::make_unique<BinomialActions>(
        state - base.state, slots - static_cast<int64_t>(kept.size()));
    inner->resume();
    state = base.state;
  }
  action.from += base.state;
  action.to += base.state;
  if (action.kind != ActionKind::Advance &&
      action.kind != ActionKind::Backward) {
    action.tier = tier;
    action.slot = physicalSlot(action.slot);
  }
  return true;
}
