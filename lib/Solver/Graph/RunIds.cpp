//===- RunIds.cpp - lists of runs that load values too --------------------===//

#include "RunIds.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::kNone;
using game::Move;
using game::MoveKind;
using game::Problem;

namespace {

int64_t capacityOf(const Problem &p, Id tier) {
  return p.hierarchy.tiers[p.hierarchy.computeTier() + tier].capacity;
}

int64_t costIn(const MoveCosts &costs, Id tier, Id value, size_t loads) {
  return costs.stores[tier][value] +
         static_cast<int64_t>(loads) * costs.loads[tier][value];
}

/// When the copy of a value in a slower tier begins and ends: places in the
/// list of runs. The value stays in the compute tier from `begin` on, so the
/// store stands right after that run; kAtStart for before all runs.
struct Stay {
  static constexpr size_t kAtStart = SIZE_MAX;
  Id value = kNone;
  size_t begin = kAtStart, end = 0, loads = 0;
};

std::vector<Stay> staysOf(const Problem &p, const std::vector<Id> &runs) {
  std::vector<Stay> all(p.values.size());
  std::vector<Id> order;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!isLoad(p, runs[i])) {
      for (const game::Access &a : p.steps[runs[i]].writes)
        if (all[a.value].loads == 0)
          all[a.value].begin = i;
      continue;
    }
    const Id v = loadedValue(p, runs[i]);
    if (all[v].loads++ == 0)
      order.push_back(v);
    all[v].value = v;
    all[v].end = i;
  }
  std::vector<Stay> stays;
  stays.reserve(order.size());
  for (Id v : order)
    stays.push_back(all[v]);
  return stays;
}

/// The bytes in tiers with a capacity, at each place in the list of runs.
class SlowRoom {
public:
  SlowRoom(const Problem &p, size_t runs)
      : p(p), used(p.explicitTierCount(), std::vector<int64_t>(runs + 1, 0)) {}

  /// The cheapest tier that has room for a stay, which it takes; 0 if none has.
  Id take(const Stay &stay, const MoveCosts &costs) {
    const int64_t bytes = p.storages[p.values[stay.value].storage].footprint;
    const size_t first = stay.begin == Stay::kAtStart ? 0 : stay.begin + 1;
    const size_t last = stay.end + 1;
    Id best = 0;
    for (Id tier = 1; tier < used.size(); ++tier) {
      if (best && costIn(costs, tier, stay.value, stay.loads) >=
                      costIn(costs, best, stay.value, stay.loads))
        continue;
      const int64_t capacity = capacityOf(p, tier);
      bool fits = true;
      if (capacity != game::kUnbounded)
        for (size_t i = first; i <= last && fits; ++i)
          fits = used[tier][i] + bytes <= capacity;
      if (fits)
        best = tier;
    }
    if (best)
      for (size_t i = first; i <= last; ++i)
        used[best][i] += bytes;
    return best;
  }

private:
  const Problem &p;
  std::vector<std::vector<int64_t>> used;
};

/// Puts runs and loads into an order for values that serve one reader a copy.
class Wishes {
public:
  explicit Wishes(const Problem &p)
      : p(p), most(kGrowth * p.steps.size() + 1000),
        fresh(p.values.size(), false) {}

  std::vector<Id> runs;
  /// Wishes for what is made of each other double the runs, again and again.
  bool isTooLong() const { return runs.size() > most; }

  void run(Id step) {
    provide(step);
    runs.push_back(step);
    for (const game::Access &a : p.steps[step].reads)
      fresh[a.value] = false;
    for (const game::Access &a : p.steps[step].writes)
      fresh[a.value] = p.steps[step].pin != game::Pin::Offload;
  }

  void provideRequired() {
    // What one is made of may be required itself.
    for (bool again = true; again && !isTooLong();) {
      again = false;
      for (Id v = 0; v < p.values.size() && !isTooLong(); ++v)
        if (p.values[v].required && servesOneReader(p, v) && !fresh[v]) {
          bring(v);
          again = true;
        }
    }
  }

private:
  /// What one is made of may have served another, so until all are there.
  void provide(Id step) {
    for (bool again = true; again && !isTooLong();) {
      again = false;
      auto use = [&](Id v) {
        if (!servesOneReader(p, v) || fresh[v] || isTooLong())
          return;
        bring(v);
        again = true;
      };
      for (const game::Access &a : p.steps[step].reads)
        use(a.value);
      for (const game::Access &a : p.steps[step].writes)
        if (const Id old = p.values[a.value].overwrites; old != kNone)
          use(old);
    }
  }

  void bring(Id v) {
    const Id maker = p.values[v].producer;
    if (p.steps[maker].pin == game::Pin::Recompute)
      return run(maker);
    runs.push_back(loadOf(p, v));
    fresh[v] = true;
  }

  /// Runs that a list may grow to, in steps of the problem.
  static constexpr size_t kGrowth = 100;

  const Problem &p;
  const size_t most;
  /// Whether the latest copy has served nobody yet.
  std::vector<bool> fresh;
};

} // namespace

bool pebble::graph::hasWishes(const Problem &p) {
  return std::any_of(p.steps.begin(), p.steps.end(), [](const game::Step &s) {
    return s.pin == game::Pin::Recompute || s.pin == game::Pin::Offload;
  });
}

bool pebble::graph::servesOneReader(const Problem &p, Id value) {
  const game::Value &v = p.values[value];
  return v.producer != kNone && !p.storages[v.storage].pinned &&
         (p.steps[v.producer].pin == game::Pin::Recompute ||
          p.steps[v.producer].pin == game::Pin::Offload);
}

std::vector<Id> pebble::graph::followWishes(const Problem &p,
                                            const std::vector<Id> &order) {
  Wishes wishes(p);
  for (Id step : order)
    wishes.run(step);
  wishes.provideRequired();
  if (wishes.isTooLong())
    return {};
  return wishes.runs;
}

bool pebble::graph::mayMove(const Problem &p, Id value) {
  const game::Value &v = p.values[value];
  return v.offloadable && !p.storages[v.storage].pinned &&
         (v.producer == kNone ||
          p.steps[v.producer].pin != game::Pin::Recompute);
}

MoveCosts pebble::graph::costsByRate(const Problem &p, int64_t rate) {
  std::vector<int64_t> byValue;
  byValue.reserve(p.values.size());
  for (const game::Value &v : p.values)
    byValue.push_back(p.storages[v.storage].bytes * rate);
  MoveCosts costs;
  costs.stores.assign(std::max<size_t>(1, p.explicitTierCount()), byValue);
  costs.loads = costs.stores;
  return costs;
}

int64_t pebble::graph::transferCost(const Problem &p, const MoveCosts &costs,
                                    Id value, size_t loads, bool roomyOnly) {
  int64_t least = INT64_MAX, roomy = INT64_MAX;
  for (Id tier = 1; tier < p.explicitTierCount(); ++tier) {
    const int64_t cost = costIn(costs, tier, value, loads);
    least = std::min(least, cost);
    if (capacityOf(p, tier) == game::kUnbounded)
      roomy = std::min(roomy, cost);
  }
  return roomyOnly && roomy != INT64_MAX ? roomy : least;
}

std::vector<Id> pebble::graph::runsOfMoves(const Problem &p,
                                           const std::vector<Move> &moves) {
  std::vector<Id> runs;
  for (const Move &m : moves)
    if (m.kind == MoveKind::Compute)
      runs.push_back(m.subject);
    else if (m.kind == MoveKind::Load)
      runs.push_back(loadOf(p, m.subject));
  return runs;
}

bool pebble::graph::findInputs(const Problem &p, const std::vector<Id> &runs) {
  // By storage, what is in it; by value, whether it was ever there.
  std::vector<Id> content(p.storages.size(), kNone);
  std::vector<bool> made(p.values.size(), false);
  auto put = [&](Id v) {
    content[p.values[v].storage] = v;
    made[v] = true;
  };
  auto isThere = [&](Id v) { return content[p.values[v].storage] == v; };
  for (Id v = 0; v < p.values.size(); ++v)
    if (p.values[v].producer == kNone)
      put(v);
  for (Id run : runs) {
    if (isLoad(p, run)) {
      const Id v = loadedValue(p, run);
      if (v >= p.values.size() || !made[v] || !mayMove(p, v))
        return false;
      put(v);
      continue;
    }
    for (const game::Access &a : p.steps[run].reads)
      if (!isThere(a.value))
        return false;
    for (const game::Access &a : p.steps[run].writes)
      if (p.values[a.value].overwrites != kNone &&
          !isThere(p.values[a.value].overwrites))
        return false;
    for (const game::Access &a : p.steps[run].writes)
      put(a.value);
  }
  for (Id v = 0; v < p.values.size(); ++v)
    if (p.values[v].required && !isThere(v))
      return false;
  return true;
}

std::vector<Move> pebble::graph::movesOfRuns(const Problem &p,
                                             const std::vector<Id> &runs,
                                             const MoveCosts &costs) {
  SlowRoom room(p, runs.size());
  std::vector<Id> tierOf(p.values.size(), 0);
  // Stores right after each run.
  std::vector<std::vector<Id>> stores(runs.size());
  std::vector<Move> moves;
  for (const Stay &stay : staysOf(p, runs)) {
    const Id tier = room.take(stay, costs);
    if (tier == 0)
      return {};
    tierOf[stay.value] = tier;
    if (stay.begin == Stay::kAtStart)
      moves.push_back({MoveKind::Store, stay.value, tier});
    else
      stores[stay.begin].push_back(stay.value);
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    if (isLoad(p, runs[i])) {
      const Id v = loadedValue(p, runs[i]);
      moves.push_back({MoveKind::Load, v, tierOf[v]});
    } else {
      moves.push_back({MoveKind::Compute, runs[i], 0});
    }
    for (Id v : stores[i])
      moves.push_back({MoveKind::Store, v, tierOf[v]});
  }
  return canonicalMoves(p, moves);
}

game::Schedule pebble::graph::scheduleOfList(const Problem &p,
                                             const std::vector<Id> &runs,
                                             const MoveCosts &costs,
                                             int64_t budget) {
  game::Schedule s;
  s.solver = "known";
  if (!findInputs(p, runs))
    return s;
  s.moves = movesOfRuns(p, runs, costs);
  game::Replay r = verify(p, s.moves);
  if (!r.verdict.ok()) {
    s.moves.clear();
    return s;
  }
  s.peak = r.peak[0];
  s.cost = costOfMoves(p, s.moves, costs);
  if (s.peak <= budget)
    s.status = game::Status::Feasible;
  return s;
}
