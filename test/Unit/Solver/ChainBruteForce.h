//===- ChainBruteForce.h - the game on a chain by brute force ---*- C++ -*-===//
//
// Dijkstra over all positions of the game: which values are in which tier, and
// which backward step is next. Written from the rules alone, for small chains;
// shares nothing with the solvers or their judge but the description of a game.
// Left out is only what cannot help: values that no later op reads are gone,
// and copies are dropped where there is no room for more.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TEST_UNIT_SOLVER_CHAINBRUTEFORCE_H
#define PEBBLE_TEST_UNIT_SOLVER_CHAINBRUTEFORCE_H

#include "pebble/Solver/Chain/ChainGame.h"

#include <cstdint>
#include <vector>

namespace pebble::test {

class ChainBruteForce {
public:
  explicit ChainBruteForce(const chain::ChainGame &g)
      : g(g), n(static_cast<unsigned>(g.steps)),
        tiers(static_cast<unsigned>(g.tiers.size()) + 1),
        bits(n + (g.rules.adjointsTakeRoom ? 2 : 1)) {}

  /// The least cost, or -1 if no schedule exists. Costs are small.
  int64_t leastCost() {
    best.assign(size_t(n + 2) << (tiers * bits), -1);
    Position start;
    start.tiers[0] = 1;
    // n + 1: the first adjoint is not there yet.
    start.next = g.rules.adjointsTakeRoom ? n + 1 : n;
    if (fits(start))
      reach(start, 0);
    for (size_t cost = 0; cost < queue.size(); ++cost)
      for (size_t i = 0; i < queue[cost].size(); ++i) {
        const Position p = queue[cost][i];
        if (best[keyOf(p)] != static_cast<int32_t>(cost))
          continue;
        if (p.next == 0)
          return static_cast<int64_t>(cost) +
                 (g.rules.adjointsTakeRoom ? 0 : g.seed);
        expand(p, static_cast<int64_t>(cost));
      }
    return -1;
  }

private:
  /// Bits of `tiers[t]`: state i, and at n + 1 the adjoint that is next.
  struct Position {
    uint32_t next = 0;
    uint32_t tiers[3] = {0, 0, 0};
  };

  uint32_t adjointBit() const { return 1U << (n + 1); }
  size_t keyOf(const Position &p) const {
    size_t key = p.next;
    for (unsigned t = 0; t < tiers; ++t)
      key = key << bits | p.tiers[t];
    return key;
  }
  unsigned live(const Position &p, unsigned t) const {
    uint32_t values = p.tiers[t];
    if (t == 0 && g.rules.pinned)
      values &= ~1U;
    return static_cast<unsigned>(__builtin_popcount(values));
  }
  bool fits(const Position &p) const {
    for (unsigned t = 1; t < tiers; ++t)
      if (g.tiers[t - 1].slots && live(p, t) > *g.tiers[t - 1].slots)
        return false;
    return live(p, 0) <= g.room();
  }
  bool isFull(const Position &p, unsigned t) const {
    return t == 0 ? live(p, 0) >= g.room()
                  : g.tiers[t - 1].slots && live(p, t) >= *g.tiers[t - 1].slots;
  }

  void reach(Position p, int64_t cost) {
    // What the next backward step and those after it may still ask for.
    uint32_t useful = (2U << n) - 1;
    if (p.next <= n)
      useful = g.rules.readsOutput ? (2U << p.next) - 1 : (1U << p.next) - 1;
    if (g.rules.adjointsTakeRoom)
      useful |= adjointBit();
    if (g.rules.pinned)
      useful |= 1;
    for (unsigned t = 0; t < tiers; ++t)
      p.tiers[t] &= useful;
    int32_t &known = best[keyOf(p)];
    if (known >= 0 && known <= cost)
      return;
    known = static_cast<int32_t>(cost);
    if (queue.size() <= static_cast<size_t>(cost))
      queue.resize(static_cast<size_t>(cost) + 1);
    queue[static_cast<size_t>(cost)].push_back(p);
  }

  void expand(const Position &p, int64_t cost) {
    const uint32_t fast = p.tiers[0];
    const bool room = live(p, 0) < g.room();
    for (unsigned i = 1; i <= n; ++i) {
      if (!(fast >> (i - 1) & 1) || fast >> i & 1)
        continue;
      Position q = p;
      q.tiers[0] |= 1U << i;
      if (room)
        reach(q, cost + g.forward);
      else if (g.rules.slides && !(g.rules.pinned && i == 1)) {
        q.tiers[0] &= ~(1U << (i - 1));
        reach(q, cost + g.forward);
      }
    }
    if (p.next == n + 1) {
      if (fast >> n & 1 && room) {
        Position q = p;
        q.next = n;
        q.tiers[0] |= adjointBit();
        reach(q, cost + g.seed);
      }
    } else {
      backward(p, cost, room);
    }
    for (unsigned t = 1; t < tiers; ++t)
      transfer(p, t, cost);
    for (unsigned t = 0; t < tiers; ++t)
      if (isFull(p, t))
        for (unsigned i = 0; i < bits; ++i)
          if (p.tiers[t] >> i & 1 && !(t == 0 && i == 0 && g.rules.pinned)) {
            Position q = p;
            q.tiers[t] &= ~(1U << i);
            reach(q, cost);
          }
  }

  void backward(const Position &p, int64_t cost, bool room) {
    const uint32_t fast = p.tiers[0];
    if (!(fast >> (p.next - 1) & 1))
      return;
    if (g.rules.readsOutput && !(fast >> p.next & 1))
      return;
    Position q = p;
    --q.next;
    if (g.rules.adjointsTakeRoom) {
      if (!(fast & adjointBit()) || !room)
        return;
      // The new adjoint takes the old one's bit, in tier 0 alone.
      for (unsigned t = 1; t < tiers; ++t)
        q.tiers[t] &= ~adjointBit();
    }
    reach(q, cost + g.backwardCost());
  }

  void transfer(const Position &p, unsigned t, int64_t cost) {
    const chain::SlowTier &tier = g.tiers[t - 1];
    for (unsigned i = 0; i < bits; ++i) {
      const uint32_t bit = 1U << i;
      if (p.tiers[0] & bit && !(p.tiers[t] & bit) && !isFull(p, t)) {
        Position q = p;
        q.tiers[t] |= bit;
        reach(q, cost + tier.store);
      }
      if (!(p.tiers[0] & bit) && p.tiers[t] & bit && !isFull(p, 0)) {
        Position q = p;
        q.tiers[0] |= bit;
        if (g.readOnce)
          q.tiers[t] &= ~bit;
        reach(q, cost + tier.load);
      }
    }
  }

  const chain::ChainGame g;
  const unsigned n, tiers, bits;
  std::vector<int32_t> best;
  std::vector<std::vector<Position>> queue;
};

} // namespace pebble::test

#endif // PEBBLE_TEST_UNIT_SOLVER_CHAINBRUTEFORCE_H
