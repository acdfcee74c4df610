//===- StepUnits.cpp - steps that run again together ----------------------===//
//
// Merges writers of one storage along its contents while the merged steps stay
// one node of an acyclic graph, then writes the tables of the smaller problem.
//
//===----------------------------------------------------------------------===//

#include "pebble/Solver/Portfolio/StepUnits.h"

#include "Solver/Graph/RunIds.h"

#include <algorithm>
#include <queue>
#include <set>
#include <unordered_map>
#include <unordered_set>

using namespace pebble;
using namespace pebble::portfolio;
using game::Id;
using game::kNone;

/// Nodes that one search for a way around a chain may visit. Beyond it the
/// chain is left as it is, which is always right.
static constexpr size_t kSearchLimit = 2000;

namespace {
class Contraction {
public:
  Contraction(const game::Problem &problem,
              const std::vector<std::string> &runOnce, Grouping grouping)
      : p(problem), runOnce(runOnce), grouping(grouping) {}

  UnitProblem run() {
    setUp();
    for (Id step = 0; step < p.steps.size(); ++step)
      for (const game::Access &write : p.steps[step].writes)
        if (Id old = p.values[write.value].overwrites; old != kNone)
          draw(step, old);
    std::vector<Id> order = orderUnits();
    for (Id unit = 0; unit < order.size(); ++unit)
      for (Id step : members[order[unit]])
        place[step] = unit;
    addUnits(order);
    findRepeatable();
    addValues();
    for (Id unit : order)
      addStep(members[unit]);
    addPrecedences();
    return std::move(result);
  }

private:
  void setUp() {
    size_t count = p.steps.size();
    unitOf = game::givenOrder(p);
    place.resize(count);
    members.resize(count);
    isFresh.assign(count, true);
    readers.resize(p.values.size());
    after.resize(count);
    for (Id step = 0; step < count; ++step) {
      members[step] = {step};
      for (const game::Access &read : p.steps[step].reads)
        readers[read.value].push_back(step);
      for (const game::Access &write : p.steps[step].writes)
        isFresh[step] =
            isFresh[step] && p.values[write.value].overwrites == kNone;
    }
    edges = game::allPrecedences(p);
    for (const game::Precedence &edge : edges)
      after[edge.before].push_back(edge.after);
  }

  /// Merges `step` into the unit that made `old`, if all of it may run again
  /// and nobody else sees what it overwrites.
  void draw(Id step, Id old) {
    Id maker = p.values[old].producer;
    if (maker == kNone || unitOf[maker] == unitOf[step] ||
        unitOf[step] != step || members[step].size() != 1)
      return;
    Id unit = unitOf[maker];
    if (!isFresh[unit] || !runOnce[maker].empty() || !runOnce[step].empty())
      return;
    auto isInside = [&](Id other) {
      return other == step || unitOf[other] == unit;
    };
    for (const game::Access &write : p.steps[step].writes) {
      Id overwritten = p.values[write.value].overwrites;
      if (overwritten == kNone)
        continue;
      Id producer = p.values[overwritten].producer;
      if (producer == kNone || unitOf[producer] != unit ||
          !std::all_of(readers[overwritten].begin(), readers[overwritten].end(),
                       isInside))
        return;
    }
    bool lossless = isLossless(unit, step);
    if ((!lossless && grouping == Grouping::Lossless) || isAround(unit, step))
      return;
    result.losesSchedules |= !lossless;
    unitOf[step] = unit;
    members[unit].push_back(step);
    members[step].clear();
  }

  /// True if the unit may as well run right before `step`: it reads nothing
  /// that could be freed after it, and nothing but `step` waits for it.
  bool isLossless(Id unit, Id step) const {
    for (Id member : members[unit]) {
      for (Id next : after[member])
        if (next != step && unitOf[next] != unit)
          return false;
      for (const game::Access &read : p.steps[member].reads) {
        const game::Value &value = p.values[read.value];
        const game::Storage &storage = p.storages[value.storage];
        bool isOwn = value.producer != kNone && unitOf[value.producer] == unit;
        if (!isOwn && !storage.pinned && storage.footprint > 0)
          return false;
      }
    }
    return true;
  }

  /// True if another unit must come after `unit` and before `step`, or the
  /// search for one takes too long.
  bool isAround(Id unit, Id step) const {
    std::vector<Id> work;
    std::unordered_set<Id> seen;
    auto visit = [&](Id from, bool isStart) {
      for (Id member : members[from])
        for (Id next : after[member]) {
          if (unitOf[next] == unit || (isStart && next == step))
            continue;
          if (next == step)
            return true;
          if (seen.insert(unitOf[next]).second)
            work.push_back(unitOf[next]);
        }
      return false;
    };
    if (visit(unit, true))
      return true;
    while (!work.empty()) {
      Id next = work.back();
      work.pop_back();
      if (seen.size() > kSearchLimit || visit(next, false))
        return true;
    }
    return false;
  }

  /// An order of the units that keeps every precedence, as near to the order
  /// that came in as that allows.
  std::vector<Id> orderUnits() const {
    std::vector<size_t> waiting(p.steps.size(), 0);
    for (const game::Precedence &edge : edges)
      if (unitOf[edge.before] != unitOf[edge.after])
        ++waiting[unitOf[edge.after]];
    std::priority_queue<std::pair<Id, Id>, std::vector<std::pair<Id, Id>>,
                        std::greater<>>
        ready; // by last member
    auto add = [&](Id unit) { ready.push({members[unit].back(), unit}); };
    for (Id step = 0; step < p.steps.size(); ++step)
      if (unitOf[step] == step && waiting[step] == 0)
        add(step);
    std::vector<Id> order;
    while (!ready.empty()) {
      Id unit = ready.top().second;
      ready.pop();
      order.push_back(unit);
      for (Id member : members[unit])
        for (Id next : after[member])
          if (unitOf[next] != unit && --waiting[unitOf[next]] == 0)
            add(unitOf[next]);
    }
    return order;
  }

  void addUnits(const std::vector<Id> &order) {
    for (Id unit : order) {
      StepUnit entry;
      entry.steps = members[unit];
      for (Id step : entry.steps)
        if (entry.reason.empty())
          entry.reason = runOnce[step];
      for (Id step : entry.steps)
        for (const game::Access &write : p.steps[step].writes)
          if (Id old = p.values[write.value].overwrites;
              old != kNone && entry.reason.empty() && !isInside(old, unit))
            entry.reason = "it updates " +
                           p.storages[p.values[write.value].storage].name +
                           " in place";
      result.units.push_back(std::move(entry));
    }
  }

  /// What is pinned is never dropped, so that its first content stays gone.
  /// What was there from the start comes back from a slower tier alone.
  void findRepeatable() {
    for (Id id = 0; id < p.values.size(); ++id) {
      const game::Value &value = p.values[id];
      if (value.overwrites != kNone && !p.storages[value.storage].pinned &&
          runOnce[value.producer].empty() &&
          !isInside(value.overwrites, unitOf[value.producer]) &&
          mayBeMadeAgain(value.overwrites))
        result.repeatable.push_back(id);
    }
  }

  /// Whether all that its storage has held up to it may be made or fetched
  /// again.
  bool mayBeMadeAgain(Id id) const {
    for (; id != kNone; id = p.values[id].overwrites) {
      const game::Value &value = p.values[id];
      if (value.producer == kNone || !runOnce[value.producer].empty())
        return value.offloadable && p.explicitTierCount() > 1;
    }
    return true;
  }

  bool isInside(Id value, Id unit) const {
    Id producer = p.values[value].producer;
    return producer != kNone && unitOf[producer] == unit;
  }

  /// Contents that are overwritten within their unit vanish.
  void addValues() {
    result.problem.name = p.name;
    result.problem.storages = p.storages;
    result.problem.hierarchy = p.hierarchy;
    std::vector<bool> vanishes(p.values.size(), false);
    for (const game::Value &value : p.values)
      if (value.overwrites != kNone && value.producer != kNone)
        vanishes[value.overwrites] =
            isInside(value.overwrites, unitOf[value.producer]);
    newValue.assign(p.values.size(), kNone);
    for (Id id = 0; id < p.values.size(); ++id) {
      if (vanishes[id])
        continue;
      newValue[id] = result.problem.values.size();
      result.origins.push_back(id);
      game::Value value = p.values[id];
      while (value.overwrites != kNone && vanishes[value.overwrites])
        value.overwrites = p.values[value.overwrites].overwrites;
      if (value.producer != kNone)
        value.producer = place[value.producer];
      result.problem.values.push_back(std::move(value));
    }
    for (game::Value &value : result.problem.values)
      if (value.overwrites != kNone)
        value.overwrites = newValue[value.overwrites];
  }

  void addStep(const std::vector<Id> &steps) {
    const StepUnit &unit = result.units[result.problem.steps.size()];
    game::Step entry;
    entry.name = p.steps[steps.back()].name;
    entry.recomputable = unit.reason.empty();
    // What later members allocate is not yet there while an earlier one runs.
    int64_t fresh = 0, made = 0;
    auto getFresh = [&](Id step) {
      int64_t bytes = 0;
      for (const game::Access &write : p.steps[step].writes)
        if (p.values[write.value].overwrites == kNone)
          bytes += p.storages[p.values[write.value].storage].footprint;
      return bytes;
    };
    for (Id step : steps)
      fresh += getFresh(step);
    for (Id step : steps) {
      const game::Step &member = p.steps[step];
      entry.cost += member.cost;
      made += getFresh(step);
      entry.scratch = std::max(entry.scratch, member.scratch - (fresh - made));
      if (member.pin != game::Pin::None)
        entry.pin = member.pin;
      for (const game::Access &read : member.reads)
        if (!isInside(read.value, unitOf[step]))
          entry.reads.push_back({newValue[read.value], read.bytes});
      for (const game::Access &write : member.writes)
        if (newValue[write.value] != kNone)
          entry.writes.push_back({newValue[write.value], write.bytes});
    }
    result.problem.steps.push_back(std::move(entry));
  }

  void addPrecedences() {
    std::set<std::pair<Id, Id>> seen;
    for (const game::Precedence &edge : game::allPrecedences(result.problem))
      seen.insert({edge.before, edge.after});
    for (const game::Precedence &edge : edges) {
      Id before = place[edge.before], after = place[edge.after];
      if (before != after && seen.insert({before, after}).second)
        result.problem.precedences.push_back(
            {before, after, edge.kind, edge.storage});
    }
  }

  const game::Problem &p;
  const std::vector<std::string> &runOnce;
  Grouping grouping;
  UnitProblem result;
  /// By step: the first step of its unit; by first step: all steps.
  std::vector<Id> unitOf;
  std::vector<std::vector<Id>> members;
  /// By first step: the unit begins with contents of its own.
  std::vector<bool> isFresh;
  std::vector<std::vector<Id>> readers, after;
  std::vector<game::Precedence> edges;
  /// By step: its unit's step in the contracted problem. By value: the same.
  std::vector<Id> place, newValue;
};
} // namespace

UnitProblem portfolio::buildUnitProblem(const game::Problem &problem,
                                        const std::vector<std::string> &runOnce,
                                        Grouping grouping) {
  return Contraction(problem, runOnce, grouping).run();
}

Grouping portfolio::groupingFor(const game::Problem &problem) {
  const bool isWished = std::any_of(
      problem.steps.begin(), problem.steps.end(),
      [](const game::Step &step) { return step.pin == game::Pin::Recompute; });
  return isWished ? Grouping::Lossless : Grouping::Full;
}

std::vector<UnitProblem>
portfolio::buildUnitProblems(const game::Problem &problem,
                             const std::vector<std::string> &runOnce) {
  std::vector<UnitProblem> all;
  all.push_back(buildUnitProblem(problem, runOnce, groupingFor(problem)));
  if (all.front().losesSchedules)
    all.push_back(buildUnitProblem(problem, runOnce, Grouping::Lossless));
  return all;
}

std::vector<Id> portfolio::expandUnits(const UnitProblem &units,
                                       const std::vector<Id> &runs) {
  std::vector<Id> steps;
  for (Id run : runs)
    steps.insert(steps.end(), units.units[run].steps.begin(),
                 units.units[run].steps.end());
  return steps;
}

std::vector<game::Move>
portfolio::expandMoves(const UnitProblem &units,
                       const std::vector<game::Move> &moves) {
  std::vector<game::Move> expanded;
  for (const game::Move &move : moves)
    if (move.kind == game::MoveKind::Compute)
      for (Id step : units.units[move.subject].steps)
        expanded.push_back({game::MoveKind::Compute, step, 0});
    else
      expanded.push_back({move.kind, units.origins[move.subject], move.tier});
  return expanded;
}

namespace {

/// The way from a problem to its contraction.
struct UnitIndex {
  explicit UnitIndex(const UnitProblem &units) {
    for (Id unit = 0; unit < units.units.size(); ++unit) {
      for (Id step : units.units[unit].steps)
        unitOf[step] = unit;
      unitEndingWith[units.units[unit].steps.back()] = unit;
    }
    for (Id value = 0; value < units.origins.size(); ++value)
      valueOf[units.origins[value]] = value;
  }
  std::unordered_map<Id, Id> unitOf, unitEndingWith, valueOf;
};

} // namespace

std::vector<game::Move>
portfolio::contractMoves(const UnitProblem &units,
                         const std::vector<game::Move> &moves) {
  const UnitIndex index(units);
  std::vector<game::Move> contracted;
  // What the first steps of a unit read may go before its last one. As one
  // step, the unit reads it.
  std::vector<game::Move> held;
  bool isInside = false;
  for (game::Move move : moves) {
    const bool computes = move.kind == game::MoveKind::Compute;
    const auto &table = computes ? index.unitEndingWith : index.valueOf;
    const auto found = table.find(move.subject);
    if (found == table.end()) {
      if (graph::isTransfer(move))
        return {};
      isInside |= computes && index.unitOf.count(move.subject);
      continue; // part of a unit
    }
    move.subject = found->second;
    if (isInside && move.kind == game::MoveKind::Drop) {
      held.push_back(move);
      continue;
    }
    contracted.push_back(move);
    if (computes) {
      contracted.insert(contracted.end(), held.begin(), held.end());
      held.clear();
      isInside = false;
    }
  }
  return contracted;
}

std::vector<Id> portfolio::contractRuns(const UnitProblem &units,
                                        const std::vector<game::Move> &moves) {
  std::vector<Id> runs;
  for (const game::Move &move : contractMoves(units, moves))
    if (move.kind == game::MoveKind::Compute)
      runs.push_back(move.subject);
    else if (move.kind == game::MoveKind::Load)
      runs.push_back(graph::loadOf(units.problem, move.subject));
  return runs;
}

graph::MoveCosts portfolio::contractCosts(const UnitProblem &units,
                                          const graph::MoveCosts &costs) {
  graph::MoveCosts result;
  auto pick = [&](const std::vector<std::vector<int64_t>> &from,
                  std::vector<std::vector<int64_t>> &to) {
    for (const std::vector<int64_t> &tier : from) {
      to.emplace_back();
      if (!tier.empty())
        for (Id value : units.origins)
          to.back().push_back(tier[value]);
    }
  };
  pick(costs.stores, result.stores);
  pick(costs.loads, result.loads);
  return result;
}
