//===- Actions.cpp - the judge of streams of actions ----------------------===//
//
// Replays actions one by one by the rules A1 to A6 of docs/solvers/Binomial.md.
// Knows no generator.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Chain/Actions.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

using namespace pebble;
using namespace pebble::chain;

std::string pebble::chain::toString(const Action &a) {
  const std::string from = std::to_string(a.from);
  const std::string range = from + ".." + std::to_string(a.to);
  const std::string place =
      "tier " + std::to_string(a.tier) + " slot " + std::to_string(a.slot);
  switch (a.kind) {
  case ActionKind::Advance:
    return "advance " + range;
  case ActionKind::Snapshot:
    return "snapshot " + from + " to " + place;
  case ActionKind::Restore:
    return "restore " + from + " from " + place;
  case ActionKind::Turn:
    return "turn " + range;
  case ActionKind::Backward:
    return "backward " + from;
  case ActionKind::Free:
    return "free " + from + " in " + place;
  case ActionKind::Tape:
    return "tape " + range;
  }
  return "";
}

namespace {

class ActionPlayer {
public:
  ActionPlayer(int64_t steps, const std::vector<int64_t> &slots,
               const ActionSizes &sizes)
      : steps(steps), capacity(slots), sizes(sizes), held(slots.size()),
        next(steps) {
    r.snapshots.assign(slots.size(), 0);
    r.restores = r.slots = r.snapshots;
  }

  ActionReplay play(ActionStream &stream) {
    Action a;
    while (r.verdict.ok() && stream.next(a)) {
      ++r.actions;
      step(a);
      if (!r.verdict.ok())
        r.verdict.message = toString(a) + ": " + r.verdict.message;
    }
    if (r.verdict.ok() && (next != 0 || !turned))
      fail("A6", "the stream ends with " + std::to_string(next) +
                     " steps to reverse");
    return std::move(r);
  }

private:
  void fail(const char *rule, std::string message) {
    r.verdict.rule = rule;
    r.verdict.message = std::move(message);
  }
  void step(const Action &a) {
    if (a.from < 0 || a.to < a.from || a.to > steps)
      return fail("A1", "names no state of the loop");
    switch (a.kind) {
    case ActionKind::Advance:
      if (isWorking(a.from)) {
        r.advanced += a.to - a.from;
        working = a.to;
      }
      return;
    case ActionKind::Turn:
      if (turned)
        return fail("A5", "turns a second time");
      if (isWorking(a.from) && (a.to != steps || a.to - a.from > 1))
        fail("A5", "the final state is state " + std::to_string(steps) +
                       ", at most one step away");
      turned = true;
      return;
    case ActionKind::Backward:
      if (!turned || a.from != next - 1)
        return fail("A5", "step " + std::to_string(next - 1) +
                              " is the one to reverse next, after the turn");
      if (tapes.erase(a.from) == 0) {
        if (!isWorking(a.from))
          return;
        working = -1;
      }
      ++r.backward;
      next = a.from;
      return;
    case ActionKind::Tape:
      if (!isWorking(a.from))
        return;
      if (a.to != a.from + 1)
        return fail("A1", "a tape is of one step");
      if (!tapes.insert(a.from).second)
        return fail("A4", "the step has a tape");
      ++r.taped;
      working = a.to;
      r.tapes = std::max(r.tapes, static_cast<int64_t>(tapes.size()));
      return measure();
    case ActionKind::Snapshot:
    case ActionKind::Restore:
    case ActionKind::Free:
      return onSlot(a);
    }
  }
  bool isWorking(int64_t state) {
    if (working == state)
      return true;
    fail("A2", working < 0
                   ? "there is no working state"
                   : "the working state is state " + std::to_string(working));
    return false;
  }
  void onSlot(const Action &a) {
    const auto t = static_cast<size_t>(a.tier);
    if (a.tier < 0 || t >= capacity.size() || a.slot < 0 ||
        a.slot >= capacity[t])
      return fail("A3", "there is no such slot");
    auto slot = held[t].find(a.slot);
    const bool full = slot != held[t].end();
    if (a.kind == ActionKind::Snapshot) {
      if (full)
        return fail("A4", "the slot still holds state " +
                              std::to_string(slot->second));
      if (!isWorking(a.from))
        return;
      held[t].emplace(a.slot, a.from);
      ++r.snapshots[t];
      r.slots[t] = std::max(r.slots[t], static_cast<int64_t>(held[t].size()));
      return measure();
    }
    if (!full || slot->second != a.from)
      return fail("A4",
                  full ? "the slot holds state " + std::to_string(slot->second)
                       : "the slot is empty");
    if (a.kind == ActionKind::Free) {
      held[t].erase(slot);
      return;
    }
    working = a.from;
    ++r.restores[t];
  }

  void measure() {
    const size_t snapshots = held.empty() ? 0 : held[0].size();
    r.memory =
        std::max(r.memory, static_cast<int64_t>(snapshots) * sizes.snapshot +
                               static_cast<int64_t>(tapes.size()) * sizes.tape);
  }

  const int64_t steps;
  const std::vector<int64_t> &capacity;
  const ActionSizes sizes;
  std::vector<std::unordered_map<int64_t, int64_t>> held;
  std::unordered_set<int64_t> tapes;
  /// Steps that are still to be reversed.
  int64_t next;
  int64_t working = 0;
  bool turned = false;
  ActionReplay r;
};

} // namespace

ActionReplay pebble::chain::replayActions(ActionStream &stream, int64_t steps,
                                          const std::vector<int64_t> &slots,
                                          const ActionSizes &sizes) {
  return ActionPlayer(steps, slots, sizes).play(stream);
}
