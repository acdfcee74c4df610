//===- MixedChainTest.cpp - snapshots and tapes in one memory -------------===//

#include "pebble/Solver/Chain/MixedChain.h"
#include "pebble/Solver/Chain/Binomial.h"
#include "pebble/Solver/Chain/TieredChain.h"

#include <gtest/gtest.h>
#include <map>
#include <queue>
#include <random>
#include <tuple>

using namespace pebble::chain;

namespace {

MixedGame gameOf(int64_t steps, int64_t budget, int64_t snapshot = 1,
                 int64_t tape = 1) {
  MixedGame g;
  g.steps = steps;
  g.budget = budget;
  g.snapshot = snapshot;
  g.tape = tape;
  return g;
}

/// Dijkstra over all positions: snapshots, tapes, working state (steps + 1 for
/// none), and the step that is reversed next.
int64_t bruteForce(const MixedGame &g) {
  using Position = std::tuple<uint32_t, uint32_t, int64_t, int64_t>;
  std::map<Position, int64_t> best;
  using Entry = std::pair<int64_t, Position>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  auto reach = [&](int64_t cost, Position p) {
    auto &[snapshots, tapes, working, next] = p;
    snapshots &= (1U << next) - 1;
    const int64_t memory = __builtin_popcount(snapshots) * g.snapshot +
                           __builtin_popcount(tapes) * g.tape;
    if (memory > g.budget)
      return;
    auto [known, isNew] = best.emplace(p, cost);
    if (!isNew && known->second <= cost)
      return;
    known->second = cost;
    queue.push({cost, p});
  };
  reach(0, {0, 0, 0, g.steps});
  while (!queue.empty()) {
    const auto [cost, p] = queue.top();
    queue.pop();
    if (best[p] < cost)
      continue;
    const auto [snapshots, tapes, working, next] = p;
    if (next == 0)
      return cost;
    if (tapes >> (next - 1) & 1)
      reach(cost + g.backward,
            {snapshots, tapes & ~(1U << (next - 1)), working, next - 1});
    for (int64_t i = 0; i < next; ++i) {
      if (snapshots >> i & 1) {
        reach(cost, {snapshots, tapes, i, next});
        reach(cost, {snapshots & ~(1U << i), tapes, working, next});
      }
      if (tapes >> i & 1)
        reach(cost, {snapshots, tapes & ~(1U << i), working, next});
    }
    if (working >= next)
      continue;
    reach(cost, {snapshots | 1U << working, tapes, working, next});
    reach(cost + g.forward, {snapshots, tapes, working + 1, next});
    reach(cost + g.taping,
          {snapshots, tapes | 1U << working, working + 1, next});
  }
  return -1;
}

/// The cost, or -1, with its schedule replayed.
int64_t solved(const MixedGame &g) {
  EXPECT_EQ(mixedGameError(g), "");
  const MixedChain chain(g);
  EXPECT_EQ(chain.cost() < kImpossible, g.budget >= chain.leastBudget());
  if (chain.cost() >= kImpossible)
    return -1;
  auto actions = chain.actions();
  const ActionReplay r =
      replayActions(*actions, g.steps, {g.steps + 1}, {g.snapshot, g.tape});
  EXPECT_TRUE(r.verdict.ok()) << r.verdict.message;
  EXPECT_LE(r.memory, g.budget);
  EXPECT_EQ(r.advanced * g.forward + r.taped * g.taping +
                r.backward * g.backward,
            chain.cost());
  return chain.cost();
}

} // namespace

TEST(MixedChain, brute_force_agrees_on_small_chains) {
  std::mt19937 random(3);
  for (int i = 0; i < 150; ++i) {
    MixedGame g = gameOf(1 + random() % 6, random() % 14, 1 + random() % 4,
                         1 + random() % 4);
    g.forward = random() % 3;
    g.taping = g.forward + random() % 2;
    g.backward = random() % 2;
    ASSERT_EQ(solved(g), bruteForce(g))
        << g.steps << " " << g.budget << " " << g.snapshot << " " << g.tape
        << " " << g.forward << " " << g.taping;
  }
}

// A step with a tape of no room but its own is what a backward step includes.
TEST(MixedChain, one_tape_is_classical_checkpointing) {
  for (int64_t n : {1, 2, 5, 40})
    for (int64_t c = 1; c < 6; ++c)
      EXPECT_EQ(solved(gameOf(n, c + 100, 1, 100)), *binomialCost(n, c) + 2 * n)
          << n << " " << c;
}

TEST(MixedChain, room_for_all_tapes_runs_every_step_once) {
  EXPECT_EQ(solved(gameOf(50, 150, 7, 3)), 100);
  EXPECT_GT(solved(gameOf(50, 149, 7, 3)), 100);
  EXPECT_EQ(solved(gameOf(50, 1000000000, 7, 3)), 100);
}

TEST(MixedChain, more_memory_never_costs_more) {
  int64_t last = INT64_MAX;
  for (int64_t budget = 5; budget < 80; ++budget) {
    const int64_t cost = solved(gameOf(40, budget, 3, 2));
    EXPECT_LE(cost, last) << budget;
    last = cost;
  }
}

TEST(MixedChain, long_chains) {
  EXPECT_GT(solved(gameOf(5000, 40)), 10000);
  EXPECT_GT(solved(gameOf(2000, 100, 5, 13)), 4000);
}

TEST(MixedChain, what_makes_no_sense) {
  EXPECT_NE(mixedGameError(gameOf(0, 5)), "");
  EXPECT_NE(mixedGameError(gameOf(5, -1)), "");
  EXPECT_NE(mixedGameError(gameOf(5, 5, 0, 1)), "");
  EXPECT_NE(mixedGameError(gameOf(5, 5, 1, INT64_MAX)), "");
  EXPECT_NE(mixedGameError(gameOf(100000, 100000)), "");
  MixedGame g = gameOf(5, 5);
  g.taping = 0;
  EXPECT_NE(mixedGameError(g), "");
  EXPECT_EQ(solved(gameOf(3, 1)), -1);
  EXPECT_EQ(solved(gameOf(3, 0)), -1);
}
