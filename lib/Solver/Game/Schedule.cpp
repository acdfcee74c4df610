//===- Schedule.cpp - the replaying judge ---------------------------------===//
//
// verify() plays the moves one by one, under the rules M1 to M12 of
// docs/PebbleGame.md, and measures what they cost. It knows tables and moves,
// no graph and no solver: what a solver got wrong, this must not repeat.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Game/Schedule.h"

#include <algorithm>
#include <numeric>

using namespace pebble::game;

const char *pebble::game::toString(Status status) {
  switch (status) {
  case Status::Optimal:
    return "optimal";
  case Status::Feasible:
    return "feasible";
  case Status::Infeasible:
    return "infeasible";
  case Status::Unknown:
    return "unknown";
  }
  return "unknown";
}

namespace {

/// The board: what is where, while the moves are played.
class Player {
public:
  Player(const Problem &problem, std::optional<int64_t> budget)
      : p(problem), budget(budget), ran(problem.steps.size(), false),
        gone(problem.values.size(), false),
        content(problem.storages.size(), kNone), befores(problem.steps.size()) {
    size_t tiers = std::max<size_t>(1, p.explicitTierCount());
    r.peak.assign(tiers, 0);
    r.stored.assign(tiers, 0);
    r.loaded.assign(tiers, 0);
    used.assign(tiers, 0);
    copies.assign(tiers, std::vector<bool>(p.values.size(), false));
    for (const Precedence &d : p.precedences)
      befores[d.after].push_back(d.before);
    for (size_t v = 0; v < p.values.size(); ++v)
      if (p.values[v].producer == kNone) {
        content[p.values[v].storage] = v;
        used[0] += footprint(v);
      }
    r.peak[0] = used[0];
  }

  Replay play(const std::vector<Move> &moves) {
    if (!fits(0, used[0]))
      return std::move(r);
    for (at = 0; at < moves.size(); ++at)
      if (!step(moves[at]))
        return std::move(r);
    finish();
    return std::move(r);
  }

private:
  // Names for messages.
  std::string step(Id s) const { return "step '" + p.steps[s].name + "'"; }
  std::string value(Id v) const { return "value '" + p.values[v].name + "'"; }

  int64_t footprint(Id v) const {
    return p.storages[p.values[v].storage].footprint;
  }
  bool resident(Id v) const { return content[p.values[v].storage] == v; }

  bool bad(const char *rule, std::string message) {
    r.verdict = {rule, std::move(message), static_cast<Id>(at)};
    return false;
  }

  /// Records `live` bytes in `tier` and says whether they fit (M11).
  bool fits(Id tier, int64_t live) {
    r.peak[tier] = std::max(r.peak[tier], live);
    if (tier == 0 && budget && live > *budget)
      return bad("M11", std::to_string(live) + " in the compute tier, budget " +
                            std::to_string(*budget));
    size_t index = p.hierarchy.computeTier() + tier;
    if (index < p.hierarchy.tiers.size() &&
        live > p.hierarchy.tiers[index].capacity)
      return bad("M11", std::to_string(live) + " in tier '" +
                            p.hierarchy.tiers[index].name + "', capacity " +
                            std::to_string(p.hierarchy.tiers[index].capacity));
    return true;
  }

  bool step(const Move &m) {
    bool isStep = m.kind == MoveKind::Compute;
    if (m.subject >= (isStep ? p.steps.size() : p.values.size()))
      return bad("M1", "no such step or value");
    if (m.tier >= used.size())
      return bad("M1", "no such tier");
    switch (m.kind) {
    case MoveKind::Compute:
      return compute(m.subject);
    case MoveKind::Store:
      return store(m.subject, m.tier);
    case MoveKind::Load:
      return load(m.subject, m.tier);
    case MoveKind::Drop:
      return drop(m.subject, m.tier);
    }
    return bad("M1", "no such kind of move");
  }

  bool compute(Id s) {
    const Step &op = p.steps[s];
    if (ran[s] && !op.recomputable)
      return bad("M5", step(s) + " runs a second time, but cannot be "
                                 "recomputed");
    for (Id before : befores[s])
      if (!ran[before])
        return bad("M6", step(s) + " runs before " + step(before));
    for (const Access &a : op.reads)
      if (!resident(a.value)) {
        if (gone[a.value])
          return bad("M3", step(s) + " reads " + value(a.value) +
                               ", which has been overwritten");
        return bad("M2", step(s) + " reads " + value(a.value) +
                             ", which is not in the compute tier");
      }
    int64_t fresh = 0;
    for (const Access &a : op.writes) {
      const Value &v = p.values[a.value];
      if (v.overwrites != kNone) {
        if (!resident(v.overwrites))
          return bad("M7", step(s) + " overwrites " + value(v.overwrites) +
                               ", which is not in the compute tier");
        continue;
      }
      if (content[v.storage] != kNone)
        return bad("M4", step(s) + " writes " + value(a.value) +
                             ", but its storage still holds " +
                             value(content[v.storage]));
      fresh += footprint(a.value);
    }
    r.live.push_back(used[0] + fresh + op.scratch);
    if (!fits(0, r.live.back()))
      return false;
    for (const Access &a : op.writes) {
      if (Id old = p.values[a.value].overwrites; old != kNone)
        gone[old] = true;
      gone[a.value] = false;
      content[p.values[a.value].storage] = a.value;
    }
    used[0] += fresh;
    ran[s] = true;
    r.cost += op.cost;
    return true;
  }

  bool store(Id v, Id tier) {
    r.live.push_back(used[0]);
    if (tier == 0)
      return bad("M8", "a store to the compute tier");
    if (!p.values[v].offloadable)
      return bad("M8", value(v) + " may not be offloaded");
    if (!resident(v))
      return bad("M8",
                 "store of " + value(v) + ", which is not in the compute tier");
    r.stored[tier] += p.storages[p.values[v].storage].bytes;
    if (!copies[tier][v]) {
      copies[tier][v] = true;
      used[tier] += footprint(v);
    }
    return fits(tier, used[tier]);
  }

  bool load(Id v, Id tier) {
    if (tier == 0 || !copies[tier][v])
      return bad("M9", "load of " + value(v) + ", which is not in tier " +
                           std::to_string(tier));
    Id now = content[p.values[v].storage];
    if (now != kNone)
      return bad("M9", "load of " + value(v) + ", but its storage holds " +
                           value(now));
    content[p.values[v].storage] = v;
    gone[v] = false;
    used[0] += footprint(v);
    r.loaded[tier] += p.storages[p.values[v].storage].bytes;
    r.live.push_back(used[0]);
    return fits(0, used[0]);
  }

  bool drop(Id v, Id tier) {
    r.live.push_back(used[0]);
    if (tier == 0 ? !resident(v) : !copies[tier][v])
      return bad("M10", "drop of " + value(v) + ", which is not in tier " +
                            std::to_string(tier));
    if (tier == 0 && p.storages[p.values[v].storage].pinned)
      return bad("M10", "drop of " + value(v) + ", whose storage is pinned");
    used[tier] -= footprint(v);
    if (tier == 0)
      content[p.values[v].storage] = kNone;
    else
      copies[tier][v] = false;
    return true;
  }

  // M12
  void finish() {
    for (size_t s = 0; s < p.steps.size(); ++s)
      if (!ran[s]) {
        bad("M12", step(s) + " never runs");
        return;
      }
    for (size_t v = 0; v < p.values.size(); ++v)
      if (p.values[v].required && !resident(v)) {
        bad("M12", value(v) + " is not in the compute tier at the end");
        return;
      }
  }

  const Problem &p;
  std::optional<int64_t> budget;
  Replay r;
  size_t at = kNone;
  std::vector<bool> ran;
  /// Values whose storage in the compute tier was overwritten.
  std::vector<bool> gone;
  /// The value that each storage holds in the compute tier.
  std::vector<Id> content;
  /// Values with a copy in each slower tier.
  std::vector<std::vector<bool>> copies;
  /// Bytes in use in each explicit tier.
  std::vector<int64_t> used;
  std::vector<std::vector<Id>> befores;
};

} // namespace

Replay pebble::game::verify(const Problem &problem,
                            const std::vector<Move> &moves,
                            std::optional<int64_t> budget) {
  return Player(problem, budget).play(moves);
}

std::vector<Move> pebble::game::scheduleOfOrder(const Problem &problem,
                                                const std::vector<Id> &order) {
  // Where each storage is touched last, and what it holds then.
  constexpr size_t never = SIZE_MAX;
  std::vector<size_t> last(problem.storages.size(), never);
  std::vector<Id> content(problem.storages.size(), kNone);
  std::vector<bool> kept(problem.storages.size(), false);
  for (size_t v = 0; v < problem.values.size(); ++v) {
    const Value &value = problem.values[v];
    if (value.producer == kNone)
      content[value.storage] = v;
    if (value.required || problem.storages[value.storage].pinned)
      kept[value.storage] = true;
  }
  std::vector<std::vector<Id>> ending(order.size());
  std::vector<Move> moves;
  for (size_t i = 0; i < order.size(); ++i) {
    const Step &op = problem.steps[order[i]];
    for (const auto *list : {&op.reads, &op.writes})
      for (const Access &a : *list)
        last[problem.values[a.value].storage] = i;
  }
  for (size_t s = 0; s < problem.storages.size(); ++s) {
    if (kept[s])
      continue;
    if (last[s] != never)
      ending[last[s]].push_back(s);
    else if (content[s] != kNone) // an argument that nobody reads
      moves.push_back({MoveKind::Drop, content[s], 0});
  }
  for (size_t i = 0; i < order.size(); ++i) {
    moves.push_back({MoveKind::Compute, order[i], 0});
    for (const Access &a : problem.steps[order[i]].writes)
      content[problem.values[a.value].storage] = a.value;
    for (Id s : ending[i])
      if (content[s] != kNone)
        moves.push_back({MoveKind::Drop, content[s], 0});
  }
  return moves;
}

std::vector<Id> pebble::game::givenOrder(const Problem &problem) {
  std::vector<Id> order(problem.steps.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}
