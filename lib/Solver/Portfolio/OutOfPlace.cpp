//===- OutOfPlace.cpp - updates that need not be in place -----------------===//

#include "pebble/Solver/Portfolio/OutOfPlace.h"

#include "Solver/Graph/DisjointSets.h"
#include "pebble/Solver/Portfolio/StepUnits.h"

#include <algorithm>
#include <iterator>

using namespace pebble;
using namespace pebble::portfolio;
using game::Access;
using game::Id;
using game::kNone;
using game::Move;
using game::MoveKind;
using game::Problem;

/// How often units are built anew to tell updates that stand in the way from
/// those that merely come after one. What is left then counts as in the way.
static constexpr int kRounds = 8;

Problem portfolio::withFreshStorages(const Problem &problem,
                                     const std::vector<Update> &updates) {
  Problem p = problem;
  // By step that stops overwriting a storage: that storage.
  std::vector<std::pair<Id, Id>> freed;
  for (const Update &update : updates) {
    game::Value &value = p.values[update.value];
    const Id old = problem.values[update.value].storage;
    game::Storage fresh = problem.storages[old];
    fresh.initial = fresh.pinned = false;
    game::Step &step = p.steps[value.producer];
    step.cost += update.copyCost;
    if (update.copies && std::none_of(step.reads.begin(), step.reads.end(),
                                      [&](const Access &read) {
                                        return read.value == value.overwrites;
                                      }))
      step.reads.push_back({value.overwrites, fresh.bytes});
    value.storage = p.storages.size();
    value.overwrites = kNone;
    p.storages.push_back(std::move(fresh));
    freed.emplace_back(value.producer, old);
  }
  // What overwrites a value is where that is.
  for (Id id = 0; id < p.values.size(); ++id) {
    Id first = id;
    while (p.values[first].overwrites != kNone)
      first = p.values[first].overwrites;
    p.values[id].storage = p.values[first].storage;
  }
  std::sort(freed.begin(), freed.end());
  auto isFreed = [&](const game::Precedence &edge) {
    return (edge.kind == game::DependenceKind::Anti ||
            edge.kind == game::DependenceKind::Output) &&
           std::binary_search(freed.begin(), freed.end(),
                              std::pair(edge.after, edge.storage));
  };
  p.precedences.erase(
      std::remove_if(p.precedences.begin(), p.precedences.end(), isFreed),
      p.precedences.end());
  return p;
}

Problem portfolio::withFreeUpdates(const Problem &problem,
                                   std::vector<Update> updates, int64_t &room) {
  for (Update &update : updates)
    update.copyCost = 0;
  Problem p = withFreshStorages(problem, updates);
  std::vector<int64_t> shared(p.steps.size(), 0);
  for (const Update &update : updates) {
    const game::Value &value = p.values[update.value];
    shared[value.producer] += p.storages[value.storage].footprint;
  }
  room = shared.empty() ? 0 : *std::max_element(shared.begin(), shared.end());
  for (Id step = 0; step < p.steps.size(); ++step)
    p.steps[step].scratch += room - shared[step];
  // What is live before the first step is raised as well.
  game::Storage before;
  before.name = "(room)";
  before.footprint = room;
  before.initial = true;
  game::Value content;
  content.name = before.name;
  content.storage = p.storages.size();
  content.offloadable = false;
  p.storages.push_back(std::move(before));
  p.values.push_back(std::move(content));
  return p;
}

graph::MoveCosts portfolio::withFreeUpdates(graph::MoveCosts prices) {
  for (auto *table : {&prices.stores, &prices.loads})
    for (std::vector<int64_t> &tier : *table)
      if (!tier.empty())
        tier.push_back(0);
  return prices;
}

std::vector<Update>
portfolio::findBlocking(const Problem &problem,
                        const std::vector<std::string> &runOnce,
                        const std::vector<Update> &updates) {
  std::vector<Update> blocking;
  std::vector<Update> left = updates;
  for (int round = 0; round < kRounds && !left.empty(); ++round) {
    const Problem p = withFreshStorages(problem, blocking);
    const UnitProblem units = buildUnitProblem(p, runOnce, Grouping::Full);
    std::vector<Id> unitOf(p.steps.size());
    for (Id unit = 0; unit < units.units.size(); ++unit)
      for (Id step : units.units[unit].steps)
        unitOf[step] = unit;
    // By value: it was written in place, outside of the unit of the old one.
    std::vector<bool> isOutside(p.values.size(), false);
    for (const Update &update : left) {
      const game::Value &value = p.values[update.value];
      const Id maker = p.values[value.overwrites].producer;
      isOutside[update.value] =
          maker == kNone || unitOf[maker] != unitOf[value.producer];
    }
    std::vector<Update> rest;
    for (const Update &update : left) {
      const bool isFirst = !isOutside[p.values[update.value].overwrites];
      const bool isBlocking =
          isOutside[update.value] && (isFirst || round + 1 == kRounds);
      (isBlocking ? blocking : rest).push_back(update);
    }
    if (rest.size() == left.size())
      break;
    left = std::move(rest);
  }
  return blocking;
}

namespace {

/// Moves between which a value is needed in the compute tier, both included.
struct Interval {
  size_t begin, last;
  Id value;
  /// A step made it, and no load.
  bool isMade;
};

/// By storage of `p`, by their begin: when its contents are needed.
std::vector<std::vector<Interval>>
findIntervals(const Problem &p, const std::vector<Move> &moves) {
  constexpr size_t kNowhere = SIZE_MAX;
  std::vector<std::vector<Interval>> result(p.storages.size());
  // By value: where its interval stands, as long as it is there.
  std::vector<size_t> open(p.values.size(), kNowhere);
  auto begin = [&](Id value, size_t at, bool isMade) {
    std::vector<Interval> &all = result[p.values[value].storage];
    open[value] = all.size();
    all.push_back({at, at, value, isMade});
  };
  auto use = [&](Id value, size_t at) {
    if (open[value] != kNowhere)
      result[p.values[value].storage][open[value]].last = at;
  };
  for (Id value = 0; value < p.values.size(); ++value)
    if (p.values[value].producer == kNone)
      begin(value, 0, false);
  for (size_t i = 0; i < moves.size(); ++i) {
    const Move &move = moves[i];
    const size_t at = i + 1;
    switch (move.kind) {
    case MoveKind::Compute:
      for (const Access &read : p.steps[move.subject].reads)
        use(read.value, at);
      for (const Access &write : p.steps[move.subject].writes) {
        if (const Id old = p.values[write.value].overwrites; old != kNone) {
          use(old, at);
          open[old] = kNowhere;
        }
        begin(write.value, at, true);
      }
      break;
    case MoveKind::Store:
      use(move.subject, at);
      break;
    case MoveKind::Load:
      begin(move.subject, at, false);
      break;
    case MoveKind::Drop:
      if (move.tier == 0)
        open[move.subject] = kNowhere;
      break;
    }
  }
  for (Id value = 0; value < p.values.size(); ++value)
    if (p.values[value].required)
      use(value, moves.size() + 1);
  return result;
}

} // namespace

std::vector<Update> portfolio::findNeeded(const Problem &problem,
                                          const std::vector<Update> &updates,
                                          const std::vector<Move> &moves) {
  const Problem p = withFreshStorages(problem, updates);
  std::vector<std::vector<Interval>> intervals = findIntervals(p, moves);
  // By storage: the one that it lies in by now.
  graph::DisjointSets place(p.storages.size());
  auto overwrites = [&](const Interval &one, const Interval &next) {
    return next.isMade && problem.values[next.value].overwrites == one.value;
  };
  std::vector<Update> needed;
  for (const Update &update : updates) {
    const Id old =
        place.find(p.values[problem.values[update.value].overwrites].storage);
    const Id own = place.find(p.values[update.value].storage);
    std::vector<Interval> both;
    std::merge(
        intervals[old].begin(), intervals[old].end(), intervals[own].begin(),
        intervals[own].end(), std::back_inserter(both),
        [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
    // One after the other, and each run takes over what it overwrites.
    bool mayStay = true;
    for (size_t i = 0; i < both.size() && mayStay; ++i) {
      const bool takesOver = i > 0 && both[i - 1].last == both[i].begin &&
                             overwrites(both[i - 1], both[i]);
      mayStay = takesOver || i == 0 || both[i - 1].last < both[i].begin;
      if (both[i].value == update.value && both[i].isMade)
        mayStay &= takesOver;
    }
    if (!mayStay) {
      needed.push_back(update);
      continue;
    }
    intervals[old] = std::move(both);
    place.join(own, old);
  }
  return needed;
}
