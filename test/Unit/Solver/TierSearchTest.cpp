//===- TierSearchTest.cpp - exact search over several slower tiers --------===//

#include "Solver/Remat/RematSearch.h"

#include "PlayAll.h"
#include "RematFixtures.h"
#include "TierProblem.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

namespace {

struct Counts {
  size_t solved = 0, binding = 0, full = 0, second = 0;
};

/// At every other budget from one that does to one that does not.
void agreesOn(const TierProblem &t, const RematMeans &means, Counts &counts) {
  const Problem &p = t.problem;
  const int64_t most = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
  int64_t once = 0;
  for (const Step &s : p.steps)
    once += s.cost;
  for (int64_t budget = most - 1; budget > 0; budget -= 2) {
    const auto right = PlayAll(p, budget, means, &t.costs).leastCost();
    RematSearchOptions o;
    o.means = means;
    o.transfers = &t.costs;
    o.budget = budget;
    const Schedule s = rematSearch(p, o);
    if (!right) {
      ASSERT_EQ(s.status, Status::Infeasible) << "budget " << budget;
      return;
    }
    ASSERT_EQ(s.status, Status::Optimal) << "budget " << budget;
    ASSERT_EQ(s.cost, *right) << "budget " << budget;
    const Replay r = verify(p, s.moves, budget);
    ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
    ASSERT_EQ(costOfMoves(p, s.moves, t.costs), s.cost);
    ++counts.solved;
    counts.binding += s.cost > once;
    counts.full += r.peak[1] == p.hierarchy.tiers[1].capacity;
    counts.second += r.peak.size() > 2 && r.peak[1] > 0 && r.peak[2] > 0;
  }
}

} // namespace

TEST(TierSearch, GraphsWithTwoSlowerTiers) {
  Counts counts;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RematMeans means;
    means.offload = true;
    means.recompute = seed % 3 != 0;
    means.fixedOrder = seed % 5 == 0;
    const auto capacity = static_cast<int64_t>(3 + seed % 7);
    agreesOn(withSlowTiers(randomGraph(seed, 5 + seed % 3),
                           {capacity, seed % 2 ? kUnbounded : 6}, seed),
             means, counts);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(counts.solved, 150u);
  EXPECT_GT(counts.binding, 80u);
  EXPECT_GT(counts.full, 10u);
  EXPECT_GT(counts.second, 5u);
}

TEST(TierSearch, GraphsWithOneSlowerTierOfLimitedCapacity) {
  Counts counts;
  for (uint64_t seed = 200; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RematMeans means;
    means.offload = true;
    means.recompute = seed % 2 == 0;
    agreesOn(withSlowTiers(randomGraph(seed, 5 + seed % 4),
                           {static_cast<int64_t>(3 + seed % 9)}, seed),
             means, counts);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(counts.binding, 100u);
  EXPECT_GT(counts.full, 30u);
}

TEST(TierSearch, ProblemsWithEverythingInThem) {
  Counts counts;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RematMeans means;
    means.offload = true;
    means.recompute = seed % 3 != 0;
    agreesOn(withSlowTiers(randomProblem(seed, 3 + seed % 3),
                           {static_cast<int64_t>(4 + seed % 11), kUnbounded},
                           seed),
             means, counts);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(counts.binding, 25u);
}

TEST(TierSearch, WishesToOffloadHold) {
  Counts counts;
  size_t pins = 0;
  for (uint64_t seed = 400; seed < 460; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RematMeans means;
    means.offload = true;
    TierProblem t = withSlowTiers(seed % 2 ? randomGraph(seed, 5 + seed % 2)
                                           : randomProblem(seed, 4),
                                  {seed % 3 ? 12 : 6, kUnbounded}, seed);
    graph::Random random(seed);
    for (Step &s : t.problem.steps)
      if (s.recomputable && random.below(3) == 0)
        s.pin = random.below(3) ? Pin::Offload : Pin::Recompute;
    if (!RematGame::refusal(t.problem, means).empty())
      continue;
    for (const Step &s : t.problem.steps)
      pins += s.pin == Pin::Offload;
    agreesOn(t, means, counts);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(pins, 30u);
  EXPECT_GT(counts.binding, 40u);
}

TEST(TierSearch, ANearTierIsSharedAmongValues) {
  // Both f and g have to leave for h, and the near tier holds one of them.
  Problem p = smallProblem({{"f", {}, 100, 4},
                            {"g", {}, 100, 4},
                            {"h", {}, 1, 8},
                            {"i", {"h"}, 1, 1},
                            {"j", {"f", "g", "i"}, 1, 1}});
  p.precedences.push_back({0, 2, DependenceKind::Effect, kNone});
  p.precedences.push_back({1, 2, DependenceKind::Effect, kNone});
  TierProblem t = withSlowTiers(p, {4, kUnbounded}, 1);
  for (size_t tier : {1, 2})
    for (Id v = 0; v < p.values.size(); ++v)
      t.costs.stores[tier][v] = t.costs.loads[tier][v] =
          static_cast<int64_t>(tier == 1 ? 1 : 10);
  RematSearchOptions o;
  o.means.offload = true;
  o.transfers = &t.costs;
  o.budget = 10;
  const Schedule s = rematSearch(t.problem, o);
  ASSERT_EQ(s.status, Status::Optimal);
  EXPECT_EQ(s.cost, 203 + 2 + 20);
}

TEST(TierSearch, MoreThanThreeSlowerTiersAreRefused) {
  RematMeans means;
  means.offload = true;
  const Problem p =
      withSlowTiers(unetTrain(), {9, 9, 9, kUnbounded}, 1).problem;
  EXPECT_EQ(RematGame::refusal(p, means), "has more than 3 slower tiers");
}
