//===- TransferSearchTest.cpp - loads beside runs, against exact search ---===//

#include "Solver/Graph/Random.h"
#include "Solver/Remat/LocalSearch.h"
#include "Solver/Remat/RematSearch.h"
#include "Solver/Remat/RunSequence.h"
#include "Solver/Remat/TransferBound.h"
#include "pebble/Solver/Portfolio/LeastCost.h"

#include "PlayAll.h"
#include "RandomProblem.h"
#include "RematFixtures.h"
#include "TierProblem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

namespace {

Problem withTiers(Problem p, std::vector<int64_t> capacities) {
  p.hierarchy.tiers.assign(1, {"fast"});
  for (int64_t capacity : capacities) {
    Tier tier;
    tier.name = "slow" + std::to_string(p.hierarchy.tiers.size());
    tier.capacity = capacity;
    p.hierarchy.tiers.push_back(tier);
  }
  return p;
}

int64_t givenPeak(const Problem &p) {
  return verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
}

RematMeans meansOf(bool recompute, int64_t rate) {
  RematMeans means;
  means.recompute = recompute;
  means.offload = true;
  means.offloadRate = rate;
  return means;
}

} // namespace

TEST(RunSequence, SaysWhatTheJudgeSaysOfLoads) {
  size_t settled = 0, refused = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = withTiers(randomProblem(seed, 5 + seed % 12), {kUnbounded});
    if (!transferSearchRefusal(p).empty())
      continue;
    const MoveCosts costs = costsByRate(p, 2);
    const int64_t budget = givenPeak(p) * 4 / 5;
    RunSequence s(p, budget, false, &costs);
    s.load(givenOrder(p));
    graph::Random random(seed);
    for (int change = 0; change < 60 && !s.repeatable().empty(); ++change) {
      const std::vector<Id> before = s.runs();
      const int64_t cost = s.cost();
      const double excess = s.excess();
      for (size_t k = 1 + random.below(3); k > 0; --k) {
        RunSequence::Slot at = random.below(s.slots());
        if (s.at(at) == RunSequence::kEmpty)
          s.add(s.repeatable()[random.below(s.repeatable().size())], at);
        else if (s.isSpare(s.at(at)))
          s.remove(at);
      }
      const bool good = s.settle();
      const std::vector<Move> moves = movesOfRuns(p, s.runs(), costs);
      const Replay r = verify(p, moves);
      // Needless loads go when moves are made, so those say more.
      if (good) {
        ++settled;
        ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
        const bool same = runsOfMoves(p, moves) == s.runs();
        ASSERT_LE(costOfMoves(p, moves, costs), s.cost());
        if (same) {
          ASSERT_EQ(costOfMoves(p, moves, costs), s.cost());
          ASSERT_EQ(s.excess() > 0, r.peak[0] > budget);
        }
      }
      refused += !good;
      if (!good || random.below(3)) {
        s.undo();
        ASSERT_EQ(s.runs(), before);
        ASSERT_EQ(s.cost(), cost);
        ASSERT_EQ(s.excess(), excess);
      } else {
        s.keep();
      }
    }
  }
  EXPECT_GT(settled, 500u);
  EXPECT_GT(refused, 500u);
}

TEST(TransferSearch, NeverCheaperThanTheOptimumAndMostlyEqual) {
  size_t found = 0, equal = 0;
  for (uint64_t seed = 0; seed < 80; ++seed)
    for (bool recompute : {false, true}) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      Problem p = withTiers(randomProblem(seed, 4 + seed % 6), {kUnbounded});
      if (!transferSearchRefusal(p).empty())
        continue;
      const int64_t rate = 1 + static_cast<int64_t>(seed % 4);
      const MoveCosts costs = costsByRate(p, rate);
      const int64_t peak = givenPeak(p);
      for (int64_t budget : {peak * 9 / 10, peak * 8 / 10, peak * 7 / 10}) {
        RematSearchOptions exact;
        exact.budget = budget;
        exact.means = meansOf(recompute, rate);
        const Schedule right = rematSearch(p, exact);
        const int64_t bound = transferBound(p, budget, costs, recompute);
        if (right.status == Status::Infeasible)
          break;
        ASSERT_EQ(right.status, Status::Optimal);
        ASSERT_LE(bound, right.cost);
        LocalSearchOptions o;
        o.budget = budget;
        o.effort = 20000;
        o.threads = 1;
        o.transfers = &costs;
        o.recompute = recompute;
        const Schedule s = localSearch(p, {givenOrder(p)}, o);
        if (s.status == Status::Unknown)
          continue;
        ++found;
        equal += s.cost == right.cost;
        ASSERT_GE(s.cost, right.cost);
        const Replay r = verify(p, s.moves, budget);
        ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
        ASSERT_EQ(s.cost, costOfMoves(p, s.moves, costs));
      }
    }
  RecordProperty("found", static_cast<int>(found));
  RecordProperty("equal", static_cast<int>(equal));
  EXPECT_GT(found, 100u);
  // What it does not know: loads of contents that are updated in place.
  EXPECT_GT(equal * 20, found * 17) << equal << " of " << found;
}

TEST(TransferSearch, TheBoundHoldsForWhatPlayingEverythingFinds) {
  size_t binding = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = withTiers(randomProblem(seed, 4 + seed % 2), {kUnbounded});
    const RematMeans means = meansOf(seed % 2, 1 + seed % 3);
    const MoveCosts costs = costsByRate(p, means.offloadRate);
    for (int64_t budget = givenPeak(p) - 1; budget > 0; budget -= 3) {
      const auto right = PlayAll(p, budget, means).leastCost();
      const int64_t bound = transferBound(p, budget, costs, means.recompute);
      if (!right)
        break;
      ASSERT_LE(bound, *right) << "budget " << budget;
      binding += bound == *right;
    }
  }
  EXPECT_GT(binding, 20u);
}

TEST(TransferSearch, BoundedTiersHoldNoMoreThanTheirCapacity) {
  size_t used = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = withTiers(randomProblem(seed, 10), {9, kUnbounded});
    if (!leastCostRefusal(p, {}).empty() || !transferSearchRefusal(p).empty())
      continue;
    LeastCostOptions o;
    o.means = meansOf(true, 1);
    o.transfers = costsByRate(p, 1);
    for (int64_t &cost : o.transfers->stores[2])
      cost *= 3;
    o.budget = givenPeak(p) * 3 / 4;
    o.solver = "local-search";
    o.effort = 3000;
    const Schedule s = leastCost(p, o);
    if (s.moves.empty())
      continue;
    const Replay r = verify(p, s.moves, o.budget);
    ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
    ASSERT_EQ(s.cost, costOfMoves(p, s.moves, *o.transfers));
    EXPECT_LE(s.bound, s.cost);
    used += r.peak[1] > 0;
  }
  EXPECT_GT(used, 5u);
}

namespace {

/// Whether no copy of a pinned value serves more than one reader, the end being
/// one, and what is to be offloaded leaves before anybody reads it.
bool followsPins(const Problem &p, const std::vector<Move> &moves) {
  std::vector<int> left(p.values.size(), 0);
  for (const Move &m : moves) {
    if (m.kind == MoveKind::Load)
      left[m.subject] = 1;
    if (m.kind != MoveKind::Compute)
      continue;
    // A step that reads a value twice is one reader.
    std::set<Id> reads;
    for (const Access &a : p.steps[m.subject].reads)
      reads.insert(a.value);
    for (Id v : reads) {
      const Id maker = p.values[v].producer;
      if (maker == kNone || p.steps[maker].pin == Pin::None)
        continue;
      if (--left[v] < 0)
        return false;
    }
    for (const Access &a : p.steps[m.subject].writes)
      left[a.value] = p.steps[m.subject].pin == Pin::Offload ? 0 : 1;
  }
  for (Id v = 0; v < p.values.size(); ++v) {
    const Id maker = p.values[v].producer;
    if (p.values[v].required && maker != kNone &&
        p.steps[maker].pin != Pin::None && left[v] < 1)
      return false;
  }
  return true;
}

} // namespace

TEST(TransferSearch, WishesAreFollowedAtAnySize) {
  size_t found = 0, equal = 0, wished = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const bool large = seed % 6 == 5;
    TierProblem t = withSlowTiers(randomGraph(seed, large ? 70 : 7 + seed % 3),
                                  {kUnbounded}, seed);
    graph::Random random(seed);
    for (Step &s : t.problem.steps)
      if (random.below(large ? 12 : 4) == 0)
        s.pin = random.below(2) ? Pin::Offload : Pin::Recompute;
    const Problem &p = t.problem;
    LeastCostOptions o;
    o.means = meansOf(true, 0);
    o.transfers = t.costs;
    o.budget = givenPeak(p) * 9 / 10;
    ASSERT_EQ(leastCostRefusal(p, o), "");
    const Schedule right = large ? Schedule() : leastCost(p, o);
    o.solver = "local-search";
    o.effort = 10000;
    const Schedule s = leastCost(p, o);
    if (right.status == Status::Infeasible) {
      ASSERT_TRUE(s.moves.empty());
      continue;
    }
    if (s.moves.empty())
      continue;
    ++found;
    wished += large;
    ASSERT_TRUE(verify(p, s.moves, o.budget).verdict.ok());
    ASSERT_EQ(costOfMoves(p, s.moves, t.costs), s.cost);
    ASSERT_TRUE(followsPins(p, s.moves));
    ASSERT_LE(s.bound, s.cost);
    if (large)
      continue;
    ASSERT_EQ(right.status, Status::Optimal);
    ASSERT_TRUE(followsPins(p, right.moves));
    ASSERT_LE(right.cost, s.cost);
    equal += right.cost == s.cost;
  }
  EXPECT_GT(found, 30u);
  EXPECT_GT(wished, 5u);
  EXPECT_GT(equal * 10, (found - wished) * 8) << equal << " of " << found;
}

TEST(TransferSearch, WishesWithoutTransfersAreFollowedToo) {
  size_t found = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomGraph(seed, 68);
    graph::Random random(seed);
    for (Step &s : p.steps)
      if (random.below(10) == 0)
        s.pin = Pin::Recompute;
    LeastCostOptions o;
    o.budget = givenPeak(p);
    o.effort = 4000;
    ASSERT_EQ(leastCostRefusal(p, o), "");
    const Schedule s = leastCost(p, o);
    if (s.moves.empty())
      continue;
    ++found;
    ASSERT_TRUE(verify(p, s.moves, o.budget).verdict.ok());
    ASSERT_TRUE(followsPins(p, s.moves));
  }
  EXPECT_GT(found, 20u);
}

TEST(TransferSearch, WishesForWhatIsUpdatedAreFollowedToo) {
  size_t found = 0, updated = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 68);
    graph::Random random(seed);
    std::vector<bool> isWished(p.steps.size(), false);
    for (Id step = 0; step < p.steps.size(); ++step)
      if (p.steps[step].recomputable && random.below(10) == 0) {
        p.steps[step].pin = Pin::Recompute;
        isWished[step] = true;
      }
    LeastCostOptions o;
    o.budget = givenPeak(p) * 5 / 4;
    o.effort = 4000;
    const Schedule s = leastCost(p, o);
    if (s.moves.empty())
      continue;
    ++found;
    ASSERT_EQ(leastCostRefusal(p, o), "");
    ASSERT_TRUE(verify(p, s.moves, o.budget).verdict.ok());
    ASSERT_TRUE(followsPins(p, s.moves));
    for (const Value &value : p.values)
      updated += value.overwrites != kNone &&
                 p.values[value.overwrites].producer != kNone &&
                 isWished[p.values[value.overwrites].producer];
  }
  EXPECT_GT(found, 20u);
  EXPECT_GT(updated, 10u);
}

TEST(TransferSearch, SaysWhatItDoesNotFollow) {
  Problem p = unetTrain();
  p.hierarchy.tiers.resize(std::min<size_t>(1, p.hierarchy.tiers.size()));
  EXPECT_EQ(transferSearchRefusal(p), "has no slower tier to offload to");
  p = withTiers(unetTrain(), {kUnbounded});
  EXPECT_EQ(transferSearchRefusal(p), "");
  p.steps[1].pin = Pin::Offload;
  EXPECT_EQ(transferSearchRefusal(p), "");
  p.values[1].offloadable = false;
  EXPECT_EQ(transferSearchRefusal(p),
            "asks to offload the results of step 'p1', which cannot be");
}
