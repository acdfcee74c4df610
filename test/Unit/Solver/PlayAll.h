//===- PlayAll.h - the least cost by playing everything ---------*- C++ -*-===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_PLAYALL_H
#define PEBBLE_TEST_UNIT_SOLVER_PLAYALL_H

#include "pebble/Solver/Game/Problem.h"
#include "pebble/Solver/Graph/RematGame.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace pebble::test {

/// Least cost by Dijkstra over single moves, straight from the rules; shares
/// nothing with the search. Nothing if no schedule fits.
class PlayAll {
public:
  PlayAll(const game::Problem &p, int64_t budget,
          const graph::RematMeans &means)
      : p(p), budget(budget), means(means) {}

  std::optional<int64_t> leastCost() {
    // Content of each storage, then whether each step ran, then the copies.
    Board start(p.storages.size() + p.steps.size() + p.values.size(), -1);
    for (size_t i = p.storages.size(); i < start.size(); ++i)
      start[i] = 0;
    for (size_t v = 0; v < p.values.size(); ++v)
      if (p.values[v].producer == game::kNone)
        start[p.values[v].storage] = static_cast<int>(v);
    if (live(start) > budget)
      return std::nullopt;
    reach(start, 0);
    while (!open.empty()) {
      auto [cost, board] = *open.begin();
      open.erase(open.begin());
      if (best[board] < cost)
        continue;
      if (atEnd(board))
        return cost;
      expand(board, cost);
    }
    return std::nullopt;
  }

private:
  using Board = std::vector<int>;

  int64_t live(const Board &b) const {
    int64_t sum = 0;
    for (size_t s = 0; s < p.storages.size(); ++s)
      if (b[s] >= 0)
        sum += p.storages[s].footprint;
    return sum;
  }
  bool resident(const Board &b, game::Id v) const {
    return b[p.values[v].storage] == static_cast<int>(v);
  }
  bool atEnd(const Board &b) const {
    for (size_t i = 0; i < p.steps.size(); ++i)
      if (!b[p.storages.size() + i])
        return false;
    for (game::Id v = 0; v < p.values.size(); ++v)
      if (p.values[v].required && !resident(b, v))
        return false;
    return true;
  }
  void reach(const Board &b, int64_t cost) {
    auto found = best.find(b);
    if (found != best.end() && found->second <= cost)
      return;
    best[b] = cost;
    open.insert({cost, b});
  }

  void expand(const Board &b, int64_t cost) {
    size_t ran = p.storages.size(), copies = ran + p.steps.size();
    for (game::Id i = 0; i < p.steps.size(); ++i) {
      const game::Step &s = p.steps[i];
      bool legal = !b[ran + i] || (s.recomputable && means.recompute &&
                                   s.pin != game::Pin::Keep);
      for (const game::Precedence &d : p.precedences)
        legal &= d.after != i || b[ran + d.before];
      for (game::Id before = 0; means.fixedOrder && before < i; ++before)
        legal &= b[ran + before] != 0;
      for (const game::Access &a : s.reads)
        legal &= resident(b, a.value);
      Board next = b;
      for (const game::Access &a : s.writes) {
        const game::Value &v = p.values[a.value];
        legal &= v.overwrites == game::kNone ? b[v.storage] == -1
                                             : resident(b, v.overwrites);
        next[v.storage] = static_cast<int>(a.value);
      }
      next[ran + i] = 1;
      if (!legal || live(next) + s.scratch > budget)
        continue;
      for (const game::Access &a : s.reads) {
        const game::Value &v = p.values[a.value];
        if (v.producer != game::kNone &&
            p.steps[v.producer].pin == game::Pin::Recompute &&
            resident(next, a.value))
          next[v.storage] = -1;
      }
      reach(next, cost + s.cost);
    }
    for (game::Id v = 0; v < p.values.size(); ++v) {
      const game::Storage &s = p.storages[p.values[v].storage];
      if (resident(b, v) && !s.pinned) {
        Board next = b;
        next[p.values[v].storage] = -1;
        reach(next, cost);
      }
      if (!means.offload || !p.values[v].offloadable)
        continue;
      Board next = b;
      if (resident(b, v) && !b[copies + v]) {
        next[copies + v] = 1;
        reach(next, cost + s.bytes * means.offloadRate);
      } else if (b[copies + v] && b[p.values[v].storage] == -1) {
        next[p.values[v].storage] = static_cast<int>(v);
        if (live(next) <= budget)
          reach(next, cost + s.bytes * means.offloadRate);
      }
    }
  }

  const game::Problem &p;
  int64_t budget;
  graph::RematMeans means;
  std::map<Board, int64_t> best;
  std::set<std::pair<int64_t, Board>> open;
};

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_SOLVER_PLAYALL_H
