//===- EnergyExact.cpp - the least energy, proven -------------------------===//
//
// A prefix is its set of steps and the stack that it leaves; the stack is kept
// as a list, top first, as the definitions of the models have it. The memory of
// prefixes holds whole keys, not their hashes, so that a proof is a proof.
//
//===----------------------------------------------------------------------===//

#include "EnergyExact.h"

#include "Solver/Graph/IdSet.h"

#include <algorithm>
#include <string>
#include <unordered_map>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Step;

namespace {

class Prover {
public:
  Prover(const Problem &p, const TouchTable &t, const EnergyBound &b,
         CacheModel m, const EnergyExactLimits &limits)
      : problem(p), table(t), model(m), best(limits.toBeat),
        peakLimit(limits.peak), visitLimit(limits.visits),
        limits(limits.limits) {
    const size_t n = p.steps.size();
    all = n == 64 ? ~uint64_t(0) : bit(n) - 1;
    before.assign(n, 0);
    future = b.fixedPerStep;
    for (Id s = 0; s < n; ++s) {
      for (Id x : t.graph.predecessors(s))
        before[s] |= bit(x);
      for (Id u = t.begin[s]; u < t.begin[s + 1]; ++u)
        future[s] += b.perTouch[u];
    }
    for (int64_t f : future)
      toCome += f;
    const bool byValue = model == CacheModel::Sutro;
    usersOf.assign(t.items.size(), 0);
    for (const auto &touch : t.touches)
      usersOf[touch.item] |= bit(touch.step);
    storageUsers.assign(p.storages.size(), 0);
    storageKept.assign(p.storages.size(), false);
    for (size_t i = 0; i < p.storages.size(); ++i)
      storageKept[i] = p.storages[i].pinned;
    for (const game::Value &v : p.values)
      if (v.required)
        storageKept[v.storage] = true;
    for (Id s = 0; s < n; ++s)
      for (const auto *list : {&p.steps[s].reads, &p.steps[s].writes})
        for (const Access &a : *list)
          storageUsers[p.values[a.value].storage] |= bit(s);
    itemOf.resize(p.values.size());
    for (Id v = 0; v < p.values.size(); ++v)
      itemOf[v] = byValue ? v : p.values[v].storage;
    for (const auto &item : t.items)
      if (item.initialRank >= 0)
        start.stack.push_back(&item - t.items.data());
    start.madeAt.assign(t.items.size(), 0);
    for (Id item : start.stack)
      start.madeAt[item] = ++start.made;
    const LiveStorages live(p);
    start.live = live.initial() - live.untouched();
  }

  EnergyExactResult run() {
    bool finished = extend(start, 0, 0, toCome);
    result.complete = finished;
    result.energy = best;
    return std::move(result);
  }

private:
  struct State {
    std::vector<Id> stack;
    /// Age of each item (model `sutro`: ties on the stack go by it).
    std::vector<uint32_t> madeAt;
    uint32_t made = 0;
    int64_t live = 0;
  };

  bool isLate() const {
    return tableBytes > limits.tableBytes() ||
           (result.visited % 256 == 0 && limits.isOver());
  }

  int64_t depth(const State &state, size_t index) const {
    int64_t sum = 0;
    for (size_t i = 0; i <= index; ++i)
      sum += table.items[state.stack[i]].size;
    return sum * table.unit;
  }

  /// Energy of the accesses of step `s`, which runs on `state`.
  int64_t play(State &state, Id s) const {
    const Step &step = problem.steps[s];
    const TierPrices &prices = table.prices;
    int64_t energy = 0;
    // In the model `sutro`, the items on top that this step has touched.
    size_t mine = 0;
    for (const auto *list : {&step.reads, &step.writes}) {
      const bool isWrite = list == &step.writes;
      const auto &price = isWrite ? prices.write : prices.read;
      for (const Access &a : *list) {
        const Id item = itemOf[a.value];
        auto it = std::find(state.stack.begin(), state.stack.end(), item);
        size_t tier;
        if (it == state.stack.end()) {
          tier = prices.tierForNew(table.items[item].size * table.unit);
          state.madeAt[item] = ++state.made;
        } else {
          const size_t index = it - state.stack.begin();
          tier = prices.tierAtDistance(depth(state, index));
          state.stack.erase(it);
          if (index < mine)
            --mine;
        }
        energy += a.bytes * price[tier];
        size_t place = 0;
        if (model == CacheModel::Sutro) {
          while (place < mine &&
                 state.madeAt[state.stack[place]] < state.madeAt[item])
            ++place;
          ++mine;
        }
        state.stack.insert(state.stack.begin() + place, item);
      }
    }
    return energy;
  }

  /// Bytes live while `s` runs; `state` goes on to after it.
  int64_t occupy(State &state, Id s, uint64_t done) const {
    const Step &step = problem.steps[s];
    for (const Access &a : step.writes)
      if (problem.values[a.value].overwrites == kNone)
        state.live +=
            problem.storages[problem.values[a.value].storage].footprint;
    const int64_t during = state.live + step.scratch;
    std::vector<Id> ending;
    for (const auto *list : {&step.reads, &step.writes})
      for (const Access &a : *list) {
        const Id storage = problem.values[a.value].storage;
        if (!storageKept[storage] && !(storageUsers[storage] & ~done) &&
            std::find(ending.begin(), ending.end(), storage) == ending.end()) {
          ending.push_back(storage);
          state.live -= problem.storages[storage].footprint;
        }
      }
    return during;
  }

  void leave(State &state, Id s, uint64_t done) const {
    auto dead = [&](Id item) {
      if (table.items[item].stays || (usersOf[item] & ~done))
        return false;
      return model == CacheModel::Lru || problem.values[item].producer != s;
    };
    state.stack.erase(
        std::remove_if(state.stack.begin(), state.stack.end(), dead),
        state.stack.end());
  }

  /// All that the future depends on.
  std::string key(const State &state, uint64_t done) const {
    std::string k(reinterpret_cast<const char *>(&done), sizeof done);
    auto put = [&](Id item) {
      k.push_back(static_cast<char>(item));
      k.push_back(static_cast<char>(item >> 8));
      k.push_back(static_cast<char>(item >> 16));
    };
    for (Id item : state.stack)
      put(item);
    if (model == CacheModel::Sutro) {
      std::vector<Id> byAge = state.stack;
      std::sort(byAge.begin(), byAge.end(),
                [&](Id a, Id b) { return state.madeAt[a] < state.madeAt[b]; });
      for (Id item : byAge)
        put(item);
    }
    return k;
  }

  /// False if the limit of visits cut the search short. `left` bounds what the
  /// steps to come cost.
  bool extend(const State &state, uint64_t done, int64_t spent, int64_t left) {
    if (done == all) {
      if (spent < best) {
        best = spent;
        result.order = prefix;
      }
      return true;
    }
    struct Child {
      Id step;
      int64_t spent, left;
      State state;
    };
    std::vector<Child> children;
    for (Id s = 0; s < problem.steps.size(); ++s) {
      if ((done & bit(s)) || (before[s] & ~done))
        continue;
      if (++result.visited > visitLimit || isLate())
        return false;
      Child child{s, spent, left - future[s], state};
      child.spent += play(child.state, s);
      if (child.spent + child.left >= best)
        continue;
      const uint64_t next = done | bit(s);
      if (occupy(child.state, s, next) > peakLimit)
        continue;
      leave(child.state, s, next);
      children.push_back(std::move(child));
    }
    std::sort(children.begin(), children.end(),
              [](const Child &a, const Child &b) {
                int64_t x = a.spent + a.left, y = b.spent + b.left;
                return x != y ? x < y : a.step < b.step;
              });
    for (const Child &child : children) {
      if (child.spent + child.left >= best)
        break;
      const uint64_t next = done | bit(child.step);
      auto [it, isNew] =
          cheapest.try_emplace(key(child.state, next), child.spent);
      if (isNew) {
        tableBytes += sizeof(*it) + 4 * sizeof(void *) + it->first.capacity();
      } else {
        if (it->second <= child.spent)
          continue;
        it->second = child.spent;
      }
      prefix.push_back(child.step);
      bool finished = extend(child.state, next, child.spent, child.left);
      prefix.pop_back();
      if (!finished)
        return false;
    }
    return true;
  }

  const Problem &problem;
  const TouchTable &table;
  CacheModel model;
  int64_t best, peakLimit, visitLimit;
  const Limits limits;
  uint64_t all = 0;
  int64_t toCome = 0;
  std::vector<uint64_t> before, usersOf, storageUsers;
  std::vector<bool> storageKept;
  std::vector<int64_t> future;
  std::vector<Id> itemOf;
  State start;
  std::vector<Id> prefix;
  std::unordered_map<std::string, int64_t> cheapest;
  uint64_t tableBytes = 0;
  EnergyExactResult result;
};

} // namespace

EnergyExactResult
pebble::graph::exactEnergyOrder(const Problem &problem, const TouchTable &table,
                                const EnergyBound &bound, CacheModel model,
                                const EnergyExactLimits &limits) {
  if (problem.steps.size() > kExactSteps)
    return {};
  return Prover(problem, table, bound, model, limits).run();
}
