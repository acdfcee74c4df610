//===- PlayAll.h - the least cost by playing everything ---------*- C++ -*-===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_PLAYALL_H
#define PEBBLE_TEST_UNIT_SOLVER_PLAYALL_H

#include "pebble/Solver/Game/Problem.h"
#include "pebble/Solver/Remat/RematGame.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pebble::test {

/// Least cost by Dijkstra over single moves, straight from the rules; shares
/// nothing with the search. Nothing if no schedule fits. Any number of slower
/// tiers with capacities; a wish to recompute or to offload a result means that
/// each copy serves one reader at most.
class PlayAll {
public:
  /// `costs` by tier and value; none: `means.offloadRate` per byte.
  PlayAll(const game::Problem &p, int64_t budget,
          const graph::RematMeans &means,
          const graph::MoveCosts *costs = nullptr)
      : p(p), budget(budget), means(means), costs(costs),
        slow(std::max<size_t>(2, p.explicitTierCount()) - 1),
        ran(p.storages.size()), copies(ran + p.steps.size()) {}

  std::optional<int64_t> leastCost() {
    // Content of each storage, then whether each step ran, then the copies by
    // tier.
    Board start(copies + p.values.size() * (means.offload ? slow : 0), kYes);
    std::fill(start.begin(), start.begin() + static_cast<long>(ran), kEmpty);
    std::fill(start.begin() + static_cast<long>(ran), start.end(), kNo);
    for (size_t v = 0; v < p.values.size(); ++v)
      if (p.values[v].producer == game::kNone)
        start[p.values[v].storage] = static_cast<char>(v);
    if (live(start) > budget)
      return std::nullopt;
    reach(start, 0);
    while (!open.empty()) {
      auto [cost, at] = open.top();
      open.pop();
      const Board board = *at;
      if (best[board] < cost)
        continue;
      if (atEnd(board))
        return cost;
      expand(board, cost);
    }
    return std::nullopt;
  }

private:
  /// Strings, for their hash.
  using Board = std::string;
  static constexpr char kEmpty = -1, kNo = 0, kYes = 1;

  int64_t footprint(game::Id v) const {
    return p.storages[p.values[v].storage].footprint;
  }
  int64_t live(const Board &b) const {
    int64_t sum = 0;
    for (size_t s = 0; s < p.storages.size(); ++s)
      if (b[s] >= 0)
        sum += p.storages[s].footprint;
    return sum;
  }
  bool resident(const Board &b, game::Id v) const {
    return b[p.values[v].storage] == static_cast<char>(v);
  }
  size_t copy(size_t tier, game::Id v) const {
    return copies + (tier - 1) * p.values.size() + v;
  }
  bool isBounded(size_t tier) const {
    const size_t at = p.hierarchy.computeTier() + tier;
    return at < p.hierarchy.tiers.size() &&
           p.hierarchy.tiers[at].capacity != game::kUnbounded;
  }
  bool fits(const Board &b, size_t tier) const {
    if (!isBounded(tier))
      return true;
    const size_t at = p.hierarchy.computeTier() + tier;
    int64_t sum = 0;
    for (game::Id v = 0; v < p.values.size(); ++v)
      if (b[copy(tier, v)] == kYes)
        sum += footprint(v);
    return sum <= p.hierarchy.tiers[at].capacity;
  }
  int64_t storeCost(size_t tier, game::Id v) const {
    return costs ? costs->stores[tier][v]
                 : p.storages[p.values[v].storage].bytes * means.offloadRate;
  }
  int64_t loadCost(size_t tier, game::Id v) const {
    return costs ? costs->loads[tier][v]
                 : p.storages[p.values[v].storage].bytes * means.offloadRate;
  }
  game::Pin pin(game::Id v) const {
    const game::Value &value = p.values[v];
    return value.producer == game::kNone || p.storages[value.storage].pinned
               ? game::Pin::None
               : p.steps[value.producer].pin;
  }
  bool isWanted(game::Id v) const {
    bool wanted = p.values[v].required;
    for (const game::Step &s : p.steps) {
      for (const game::Access &a : s.reads)
        wanted |= a.value == v;
      for (const game::Access &a : s.writes)
        wanted |= p.values[a.value].overwrites == v;
    }
    return wanted;
  }
  bool atEnd(const Board &b) const {
    for (size_t i = 0; i < p.steps.size(); ++i)
      if (b[ran + i] == kNo)
        return false;
    for (game::Id v = 0; v < p.values.size(); ++v)
      if (p.values[v].required && !resident(b, v))
        return false;
    return true;
  }
  void reach(const Board &b, int64_t cost) {
    auto [found, isNew] = best.emplace(b, cost);
    if (!isNew && found->second <= cost)
      return;
    found->second = cost;
    open.push({cost, &found->first});
  }

  void expand(const Board &b, int64_t cost) {
    for (game::Id i = 0; i < p.steps.size(); ++i)
      run(b, cost, i);
    for (game::Id v = 0; v < p.values.size(); ++v) {
      const game::Id s = p.values[v].storage;
      if (resident(b, v) && !p.storages[s].pinned) {
        Board next = b;
        next[s] = kEmpty;
        reach(next, cost);
      }
      for (size_t tier = 1; means.offload && tier <= slow; ++tier) {
        // Where there is always room nothing is gained by a drop.
        if (b[copy(tier, v)] == kYes && isBounded(tier)) {
          Board next = b;
          next[copy(tier, v)] = kNo;
          reach(next, cost);
        }
        if (!p.values[v].offloadable || pin(v) == game::Pin::Recompute ||
            !isWanted(v))
          continue;
        Board next = b;
        if (resident(b, v) && b[copy(tier, v)] == kNo) {
          next[copy(tier, v)] = kYes;
          if (fits(next, tier))
            reach(next, cost + storeCost(tier, v));
        } else if (b[copy(tier, v)] == kYes && b[s] == kEmpty) {
          next[s] = static_cast<char>(v);
          if (live(next) <= budget)
            reach(next, cost + loadCost(tier, v));
        }
      }
    }
  }

  void run(const Board &b, int64_t cost, game::Id i) {
    const game::Step &s = p.steps[i];
    bool legal = b[ran + i] == kNo ||
                 (s.recomputable && means.recompute &&
                  s.pin != game::Pin::Keep && s.pin != game::Pin::Offload);
    for (const game::Precedence &d : p.precedences)
      legal &= d.after != i || b[ran + d.before] == kYes;
    for (game::Id before = 0; means.fixedOrder && before < i; ++before)
      legal &= b[ran + before] == kYes;
    for (const game::Access &a : s.reads)
      legal &= resident(b, a.value);
    Board next = b;
    for (const game::Access &a : s.writes) {
      const game::Value &v = p.values[a.value];
      legal &= v.overwrites == game::kNone ? b[v.storage] == kEmpty
                                           : resident(b, v.overwrites);
      next[v.storage] = static_cast<char>(a.value);
    }
    next[ran + i] = kYes;
    if (!legal || live(next) + s.scratch > budget)
      return;
    for (const game::Access &a : s.reads)
      if ((pin(a.value) == game::Pin::Recompute ||
           pin(a.value) == game::Pin::Offload) &&
          resident(next, a.value))
        next[p.values[a.value].storage] = kEmpty;
    std::vector<game::Id> away;
    for (const game::Access &a : s.writes)
      if (pin(a.value) == game::Pin::Offload && isWanted(a.value))
        away.push_back(a.value);
    sendAway(next, cost + s.cost, away);
  }

  /// Stores the results that are to be offloaded, in any tier each.
  void sendAway(const Board &b, int64_t cost, std::vector<game::Id> away) {
    if (away.empty())
      return reach(b, cost);
    const game::Id v = away.back();
    away.pop_back();
    for (size_t tier = 1; tier <= slow; ++tier) {
      Board next = b;
      next[p.values[v].storage] = kEmpty;
      next[copy(tier, v)] = kYes;
      if (fits(next, tier))
        sendAway(next, cost + storeCost(tier, v), away);
    }
  }

  const game::Problem &p;
  int64_t budget;
  graph::RematMeans means;
  const graph::MoveCosts *costs;
  const size_t slow, ran, copies;
  std::unordered_map<Board, int64_t> best;
  using Entry = std::pair<int64_t, const Board *>;
  struct Later {
    bool operator()(const Entry &a, const Entry &b) const {
      return a.first > b.first;
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, Later> open;
};

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_SOLVER_PLAYALL_H
