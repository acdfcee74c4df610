//===- Timeline.cpp - the judge of programs that overlap ------------------===//
//
// The rules of a schedule are judged by game::verify(), with each start in the
// place of the move. What is left are the rules about transfers under way, and
// the clock.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Timeline/Timeline.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::timeline;

int64_t timeline::addTimes(int64_t a, int64_t b) {
  return a > INT64_MAX - b ? INT64_MAX : a + b;
}

int64_t timeline::getAccessTime(int64_t bytes, int64_t bandwidth,
                                int64_t latency) {
  int64_t whole = bytes / bandwidth, rest = bytes % bandwidth;
  if (whole > INT64_MAX / 1000)
    return INT64_MAX;
  // The rest is less than the bandwidth, which may be large itself.
  auto scaled = static_cast<unsigned __int128>(rest) * 1000;
  auto more = static_cast<int64_t>((scaled + bandwidth - 1) / bandwidth);
  return addTimes(latency, addTimes(whole * 1000, more));
}

std::optional<Durations> timeline::getDurations(const game::Problem &problem,
                                                std::vector<int64_t> steps) {
  Durations durations;
  durations.steps = std::move(steps);
  size_t first = problem.hierarchy.computeTier();
  size_t count = problem.explicitTierCount();
  durations.loads.resize(count);
  for (size_t tier = 1; tier < count; ++tier) {
    const game::Tier &fast = problem.hierarchy.tiers[first];
    const game::Tier &slow = problem.hierarchy.tiers[first + tier];
    if (slow.bandwidth == 0)
      return std::nullopt;
    int64_t bandwidth = fast.bandwidth == 0
                            ? slow.bandwidth
                            : std::min(fast.bandwidth, slow.bandwidth);
    int64_t latency = std::max(fast.latency, slow.latency);
    for (const game::Value &value : problem.values)
      durations.loads[tier].push_back(getAccessTime(
          problem.storages[value.storage].bytes, bandwidth, latency));
  }
  durations.stores = durations.loads;
  return durations;
}

namespace {

class Clock {
public:
  Clock(const game::Problem &problem, const Durations &durations, bool overlap)
      : p(problem), durations(durations), overlap(overlap),
        underWay(problem.values.size(), kNobody) {}

  bool play(const std::vector<Action> &actions, Timeline &out) {
    out.begins.reserve(actions.size());
    out.ends.reserve(actions.size());
    for (at = 0; at < actions.size(); ++at) {
      out.begins.push_back(now);
      int64_t end = now;
      if (!take(actions[at], out, end))
        return false;
      out.ends.push_back(end);
    }
    for (size_t i = 0; i < transfers.size(); ++i)
      if (!transfers[i].waited)
        return bad(out, "T4",
                   "the " + describe(transfers[i].action) +
                       " is not waited for");
    out.makespan = now;
    return true;
  }

private:
  struct Transfer {
    Action action;
    int64_t end;
    bool waited = false;
  };
  static constexpr uint32_t kNobody = UINT32_MAX;

  std::string describe(const Action &action) const {
    return std::string(action.kind == ActionKind::Store ? "store" : "load") +
           " of '" + p.values[action.subject].name + "'";
  }

  bool bad(Timeline &out, const char *rule, std::string message) {
    out.verdict = {rule, std::move(message), static_cast<game::Id>(at)};
    return false;
  }

  bool take(const Action &action, Timeline &out, int64_t &end) {
    switch (action.kind) {
    case ActionKind::Run:
      return run(action.subject, out, end);
    case ActionKind::Store:
    case ActionKind::Load:
      return start(action, out, end);
    case ActionKind::Wait:
      return wait(action.subject, out, end);
    case ActionKind::Drop:
      return drop(action, out);
    }
    return false;
  }

  bool run(game::Id step, Timeline &out, int64_t &end) {
    for (const game::Access &read : p.steps[step].reads)
      if (isUnderWay(read.value, ActionKind::Load))
        return bad(out, "T3",
                   "step '" + p.steps[step].name + "' reads '" +
                       p.values[read.value].name + "' before its load ended");
    for (const game::Access &write : p.steps[step].writes)
      if (game::Id old = p.values[write.value].overwrites;
          old != game::kNone && underWay[old] != kNobody)
        return bad(out, "T2",
                   "step '" + p.steps[step].name + "' overwrites '" +
                       p.values[old].name + "', which is under way");
    now = end = addTimes(now, durations.steps[step]);
    out.computing = addTimes(out.computing, durations.steps[step]);
    return true;
  }

  /// One transfer of a value at a time: another would need the first one's end,
  /// or have its source taken away by the first one's drop.
  bool start(const Action &action, Timeline &out, int64_t &end) {
    if (underWay[action.subject] != kNobody)
      return bad(out, "T3",
                 "the " + describe(action) +
                     " starts while another transfer of it is under way");
    const auto &table =
        action.kind == ActionKind::Store ? durations.stores : durations.loads;
    int64_t duration = table[action.tier][action.subject];
    queue = end = addTimes(std::max(queue, now), duration);
    if (!overlap)
      now = end;
    out.moving = addTimes(out.moving, duration);
    underWay[action.subject] = transfers.size();
    transfers.push_back({action, end});
    return true;
  }

  bool wait(uint32_t number, Timeline &out, int64_t &end) {
    if (number >= transfers.size())
      return bad(out, "T1", "no such transfer was started");
    Transfer &transfer = transfers[number];
    if (transfer.waited)
      return bad(out, "T1",
                 "the " + describe(transfer.action) + " was waited for before");
    transfer.waited = true;
    underWay[transfer.action.subject] = kNobody;
    out.stalled =
        addTimes(out.stalled, std::max<int64_t>(0, transfer.end - now));
    now = end = std::max(now, transfer.end);
    return true;
  }

  bool drop(const Action &action, Timeline &out) {
    if (underWay[action.subject] == kNobody)
      return true;
    const Action &transfer = transfers[underWay[action.subject]].action;
    if (action.tier != 0 && action.tier != transfer.tier)
      return true;
    return bad(out, "T2",
               "'" + p.values[action.subject].name +
                   "' is dropped before its transfer ended");
  }

  bool isUnderWay(game::Id value, ActionKind kind) const {
    return underWay[value] != kNobody &&
           transfers[underWay[value]].action.kind == kind;
  }

  const game::Problem &p;
  const Durations &durations;
  bool overlap;
  size_t at = 0;
  /// When the program is, and when the worker that moves data is free.
  int64_t now = 0, queue = 0;
  std::vector<Transfer> transfers;
  /// By value: the transfer that is under way.
  std::vector<uint32_t> underWay;
};

} // namespace

/// The action that a move comes from; `move` itself if it is none of theirs.
static game::Id actionOfMove(const std::vector<Action> &actions,
                             game::Id move) {
  game::Id moves = 0;
  for (size_t at = 0; at < actions.size(); ++at)
    if (actions[at].kind != ActionKind::Wait && moves++ == move)
      return static_cast<game::Id>(at);
  return move;
}

Timeline timeline::replay(const game::Problem &problem,
                          const std::vector<Action> &actions,
                          const Durations &durations,
                          std::optional<int64_t> budget, bool overlap) {
  Timeline out;
  game::Replay played = game::verify(problem, movesOf(actions), budget);
  out.peak = played.peak;
  out.verdict = played.verdict;
  if (!out.verdict.ok()) {
    out.verdict.at = actionOfMove(actions, out.verdict.at);
    return out;
  }
  Clock(problem, durations, overlap).play(actions, out);
  return out;
}

std::vector<game::Move> timeline::movesOf(const std::vector<Action> &actions) {
  std::vector<game::Move> moves;
  for (const Action &action : actions)
    switch (action.kind) {
    case ActionKind::Run:
      moves.push_back({game::MoveKind::Compute, action.subject, 0});
      break;
    case ActionKind::Store:
      moves.push_back({game::MoveKind::Store, action.subject, action.tier});
      break;
    case ActionKind::Load:
      moves.push_back({game::MoveKind::Load, action.subject, action.tier});
      break;
    case ActionKind::Drop:
      moves.push_back({game::MoveKind::Drop, action.subject, action.tier});
      break;
    case ActionKind::Wait:
      break;
    }
  return moves;
}

std::vector<Action> timeline::waitAtOnce(const std::vector<game::Move> &moves) {
  std::vector<Action> actions;
  uint32_t transfers = 0;
  for (const game::Move &move : moves)
    switch (move.kind) {
    case game::MoveKind::Compute:
      actions.push_back({ActionKind::Run, move.subject, 0});
      break;
    case game::MoveKind::Drop:
      actions.push_back({ActionKind::Drop, move.subject, move.tier});
      break;
    case game::MoveKind::Store:
    case game::MoveKind::Load:
      actions.push_back({move.kind == game::MoveKind::Store ? ActionKind::Store
                                                            : ActionKind::Load,
                         move.subject, move.tier});
      actions.push_back({ActionKind::Wait, transfers++, 0});
      break;
    }
  return actions;
}
