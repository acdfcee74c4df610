//===- Paging.cpp - stores and loads for a given list of runs -------------===//

#include "Paging.h"

#include "Solver/Graph/Random.h"

#include <algorithm>
#include <cmath>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Id;
using game::kNone;
using game::Move;
using game::MoveKind;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

constexpr size_t kNoNeed = SIZE_MAX;

/// What a run does to storages. A list of runs without transfers has one
/// content in each storage at a time, so storages stand for contents.
struct Touches {
  /// Read, or overwritten in place: must be there. Each once.
  std::vector<Id> needed;
  /// Filled anew: must not be there.
  std::vector<Id> filled;
  int64_t scratch = 0;
};

class RunUses {
public:
  RunUses(const Problem &p, const std::vector<Id> &runs) : p(p) {
    uses.resize(p.storages.size());
    for (Id step : runs)
      add(p.steps[step]);
    // What is returned has to be there at the end, all at once.
    Touches end;
    for (const game::Value &v : p.values)
      if (v.required)
        end.needed.push_back(v.storage);
    for (Id s : end.needed)
      uses[s].push_back({touches.size(), false});
    touches.push_back(std::move(end));
  }

  /// One for each run, and one for the end.
  const std::vector<Touches> &all() const { return touches; }

  /// When storage `s` is needed next after `position`; kNoNeed if it is filled
  /// anew before.
  size_t nextNeed(Id s, size_t position) const {
    auto next = std::upper_bound(
        uses[s].begin(), uses[s].end(), position,
        [](size_t at, const Use &use) { return at < use.position; });
    return next == uses[s].end() || next->fills ? kNoNeed : next->position;
  }
  /// The same from before the first run on.
  size_t firstNeed(Id s) const {
    return uses[s].empty() || uses[s][0].fills ? kNoNeed : uses[s][0].position;
  }

private:
  struct Use {
    size_t position;
    bool fills;
  };

  void add(const game::Step &step) {
    Touches t;
    t.scratch = step.scratch;
    auto need = [&](Id s) {
      if (std::find(t.needed.begin(), t.needed.end(), s) == t.needed.end())
        t.needed.push_back(s);
    };
    for (const Access &a : step.reads)
      need(p.values[a.value].storage);
    for (const Access &a : step.writes) {
      const game::Value &v = p.values[a.value];
      if (v.overwrites != kNone)
        need(v.storage);
      else
        t.filled.push_back(v.storage);
    }
    for (Id s : t.needed)
      uses[s].push_back({touches.size(), false});
    for (Id s : t.filled)
      uses[s].push_back({touches.size(), true});
    touches.push_back(std::move(t));
  }

  const Problem &p;
  std::vector<Touches> touches;
  std::vector<std::vector<Use>> uses;
};

/// How a walk weighs what it evicts: cost^a / (size^b distance^c), times a whim
/// for each storage.
struct PagingInclination {
  double cost = 1, size = 1, distance = 1;
  std::vector<double> whims;
};

class PagingWalk {
public:
  PagingWalk(const Problem &p, const std::vector<Id> &order,
             const RunUses &runs, const MoveCosts &costs, int64_t budget)
      : p(p), order(order), runs(runs), costs(costs), budget(budget) {
    for (size_t t = p.hierarchy.computeTier(); t < p.hierarchy.tiers.size();
         ++t)
      capacity.push_back(p.hierarchy.tiers[t].capacity);
    capacity.resize(std::max<size_t>(1, capacity.size()), game::kUnbounded);
  }

  std::vector<Move> moves;

  /// False if the budget leaves no room.
  bool walk(const PagingInclination &inclination) {
    how = &inclination;
    start();
    for (at = 0; at < runs.all().size(); ++at)
      if (!visit(runs.all()[at]))
        return false;
    return true;
  }

private:
  void start() {
    moves.clear();
    content.assign(p.storages.size(), kNone);
    resident.assign(p.storages.size(), false);
    copy.assign(p.storages.size(), 0);
    marked.assign(p.storages.size(), kNoNeed);
    used.assign(capacity.size(), 0);
    for (Id v = 0; v < p.values.size(); ++v)
      if (p.values[v].producer == kNone) {
        Id s = p.values[v].storage;
        content[s] = v;
        resident[s] = true;
        used[0] += p.storages[s].footprint;
      }
    for (Id s = 0; s < p.storages.size(); ++s)
      if (content[s] != kNone && runs.firstNeed(s) == kNoNeed)
        end(s);
  }

  bool visit(const Touches &t) {
    int64_t bytes = t.scratch;
    for (Id s : t.needed) {
      marked[s] = at;
      bytes += resident[s] ? 0 : p.storages[s].footprint;
    }
    for (Id s : t.filled)
      bytes += p.storages[s].footprint;
    while (used[0] + bytes > budget)
      if (!evict())
        return false;
    for (Id s : t.needed)
      if (!resident[s])
        load(s);
    if (at < order.size())
      run(p.steps[order[at]], t);
    return true;
  }

  void run(const game::Step &step, const Touches &t) {
    moves.push_back({MoveKind::Compute, order[at], 0});
    for (const Access &a : step.writes) {
      Id s = p.values[a.value].storage;
      if (p.values[a.value].overwrites == kNone) {
        used[0] += p.storages[s].footprint;
        resident[s] = true;
      } else {
        dropCopy(s);
      }
      content[s] = a.value;
    }
    for (const auto *list : {&t.needed, &t.filled})
      for (Id s : *list)
        if (runs.nextNeed(s, at) == kNoNeed)
          end(s);
  }

  void load(Id s) {
    moves.push_back({MoveKind::Load, content[s], copy[s]});
    resident[s] = true;
    used[0] += p.storages[s].footprint;
  }

  /// Nobody needs it any more.
  void end(Id s) {
    dropCopy(s);
    if (p.storages[s].pinned || !resident[s])
      return;
    leave(s);
  }

  void leave(Id s) {
    moves.push_back({MoveKind::Drop, content[s], 0});
    resident[s] = false;
    used[0] -= p.storages[s].footprint;
  }

  void dropCopy(Id s) {
    if (copy[s] == 0)
      return;
    moves.push_back({MoveKind::Drop, content[s], copy[s]});
    used[copy[s]] -= p.storages[s].footprint;
    copy[s] = 0;
  }

  bool hasRoom(Id tier, int64_t bytes) const {
    return capacity[tier] == game::kUnbounded ||
           used[tier] + bytes <= capacity[tier];
  }

  /// The cheapest tier that has room for `s`; 0 if none has.
  Id findTier(Id s) const {
    Id best = 0;
    int64_t least = 0;
    for (Id tier = 1; tier < used.size(); ++tier) {
      int64_t cost =
          costs.stores[tier][content[s]] + costs.loads[tier][content[s]];
      if (hasRoom(tier, p.storages[s].footprint) && (!best || cost < least)) {
        best = tier;
        least = cost;
      }
    }
    return best;
  }

  /// Copies of what is resident give way to what is not.
  bool dropSpareCopies() {
    bool any = false;
    for (Id s = 0; s < p.storages.size(); ++s)
      if (resident[s] && copy[s]) {
        dropCopy(s);
        any = true;
      }
    return any;
  }

  bool evict() {
    Id best = kNone, where = 0;
    double least = 0;
    for (Id s = 0; s < p.storages.size(); ++s) {
      const game::Storage &storage = p.storages[s];
      if (!resident[s] || marked[s] == at || storage.pinned ||
          storage.footprint == 0 || !p.values[content[s]].offloadable)
        continue;
      Id tier = copy[s] ? copy[s] : findTier(s);
      if (tier == 0)
        continue;
      double score = getScore(s, tier);
      if (best == kNone || score < least) {
        best = s;
        where = tier;
        least = score;
      }
    }
    if (best == kNone)
      return dropSpareCopies();
    if (copy[best] == 0) {
      moves.push_back({MoveKind::Store, content[best], where});
      copy[best] = where;
      used[where] += p.storages[best].footprint;
    }
    leave(best);
    return true;
  }

  double getScore(Id s, Id tier) const {
    int64_t cost = costs.loads[tier][content[s]];
    if (copy[s] == 0)
      cost += costs.stores[tier][content[s]];
    double distance = static_cast<double>(runs.nextNeed(s, at) - at);
    return std::pow(static_cast<double>(cost) + 1, how->cost) /
           std::pow(static_cast<double>(p.storages[s].footprint), how->size) /
           std::pow(distance, how->distance) * how->whims[s];
  }

  const Problem &p;
  const std::vector<Id> &order;
  const RunUses &runs;
  const MoveCosts &costs;
  const int64_t budget;
  /// By explicit tier.
  std::vector<int64_t> capacity, used;
  const PagingInclination *how = nullptr;
  size_t at = 0;
  /// By storage: what it holds, whether that is in the compute tier, and the
  /// slower tier that has a copy of it (0: none).
  std::vector<Id> content, copy;
  std::vector<bool> resident;
  std::vector<size_t> marked;
};

} // namespace

Schedule pebble::graph::pageRuns(const Problem &problem,
                                 const std::vector<Id> &order,
                                 const MoveCosts &costs,
                                 const PagingOptions &options) {
  Schedule s;
  s.solver = "paging";
  for (const game::Step &step : problem.steps)
    s.bound += step.cost;
  RunUses runs(problem, order);
  PagingWalk walk(problem, order, runs, costs, options.budget);
  Random random(options.seed);
  PagingInclination best;
  best.whims.assign(problem.storages.size(), 1);
  uint64_t walks = options.effort;
  if (walks == 0)
    walks = order.size() > 500 ? 12 : 60;
  for (uint64_t i = 0; i < walks; ++i) {
    if (i && options.stop && options.stop->isUp()) {
      s.limited = true;
      break;
    }
    PagingInclination how = best;
    auto factor = [&](uint64_t range) {
      return std::exp2(static_cast<double>(random.below(range)) / 100 -
                       static_cast<double>(range) / 200);
    };
    if (i) {
      how.cost *= factor(100);
      how.size *= factor(200);
      how.distance *= factor(200);
      for (size_t k = 0; k < 3 && !how.whims.empty(); ++k)
        how.whims[random.below(how.whims.size())] *= factor(600);
    }
    if (!walk.walk(how))
      continue;
    std::vector<Move> moves = canonicalMoves(problem, walk.moves);
    game::Replay replay = game::verify(problem, moves, options.budget);
    int64_t cost = costOfMoves(problem, moves, costs);
    if (!replay.verdict.ok() || (s.status == Status::Feasible && cost > s.cost))
      continue;
    s.status = Status::Feasible;
    s.cost = cost;
    s.peak = replay.peak[0];
    s.moves = std::move(moves);
    best = std::move(how);
    if (s.cost == s.bound)
      break;
  }
  return s;
}

int64_t pebble::graph::leastPagingBudget(const Problem &problem,
                                         const std::vector<Id> &order) {
  RunUses runs(problem, order);
  std::vector<Id> content(problem.storages.size(), kNone);
  for (Id v = 0; v < problem.values.size(); ++v)
    if (problem.values[v].producer == kNone)
      content[problem.values[v].storage] = v;
  int64_t least = 0;
  for (size_t at = 0; at < runs.all().size(); ++at) {
    const Touches &t = runs.all()[at];
    int64_t bytes = t.scratch;
    std::vector<bool> counted(problem.storages.size(), false);
    auto count = [&](Id s) {
      if (!counted[s])
        bytes += problem.storages[s].footprint;
      counted[s] = true;
    };
    for (const auto *list : {&t.needed, &t.filled})
      for (Id s : *list)
        count(s);
    for (Id s = 0; s < problem.storages.size(); ++s) {
      if (content[s] == kNone)
        continue;
      size_t next = at ? runs.nextNeed(s, at - 1) : runs.firstNeed(s);
      if (problem.storages[s].pinned ||
          (next != kNoNeed && !problem.values[content[s]].offloadable))
        count(s);
    }
    least = std::max(least, bytes);
    if (at < order.size())
      for (const Access &a : problem.steps[order[at]].writes)
        content[problem.values[a.value].storage] = a.value;
  }
  return least;
}
