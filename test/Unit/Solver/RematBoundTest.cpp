//===- RematBoundTest.cpp - bounds on the cost against exact answers ------===//

#include "pebble/Solver/Remat/RematBound.h"
#include "Solver/Graph/MaxFlow.h"
#include "Solver/Remat/RematSearch.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/StepGraph.h"
#include "pebble/Solver/Portfolio/LeastBudget.h"
#include "pebble/Solver/Remat/RematGame.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include "RandomProblem.h"
#include "RematFixtures.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

/// Gives what is updated in place storage of its own.
static void writeElsewhere(Problem &p) {
  for (Value &v : p.values)
    if (v.overwrites != kNone) {
      Storage own = p.storages[v.storage];
      own.initial = own.pinned = false;
      v.overwrites = kNone;
      v.storage = p.storages.size();
      p.steps[v.producer].recomputable = true;
      p.storages.push_back(own);
    }
}

TEST(RematBound, IsExactInTheKnapsack) {
  // Values of 10, 10 and 9 bytes wait beside a step that leaves room for one
  // of them: two have to go, and a part of one is no use.
  Problem p = smallProblem({{"a", {}, 7, 10},
                            {"b", {"a"}, 8, 10},
                            {"c", {"b"}, 9, 9},
                            {"d", {"c"}, 1, 1},
                            {"peak", {"d"}, 1, 1},
                            {"x", {"peak", "a"}, 1, 1},
                            {"y", {"x", "b"}, 1, 1},
                            {"z", {"y", "c"}, 1, 1}});
  p.steps[4].scratch = 13;
  const int64_t budget = 29;
  RematSearchOptions o;
  o.budget = budget;
  Schedule right = rematSearch(p, o);
  ASSERT_EQ(right.status, Status::Optimal);
  EXPECT_EQ(rematBound(p, budget), 29 + 7 + 8);
  EXPECT_GE(right.cost, 29 + 7 + 8);
  EXPECT_EQ(rematBound(p, budget + 5), 29 + 7);
  EXPECT_EQ(rematBound(p, 14), INT64_MAX);
}

TEST(RematBound, WhatIsStoppedClaimsNoMoreThanItHasProven) {
  // Over before it begins, and without room for any table.
  StopSign up, small(Limits(0, 1));
  up.raise();
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 5 + seed % 6);
    if (seed % 2)
      writeElsewhere(p);
    int64_t once = 0;
    for (const Step &s : p.steps)
      once += s.cost;
    const int64_t peak = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    const int64_t least = leastBudget(p, {}).peak;
    for (const StopSign *stop : {&up, &small})
      for (int64_t budget : {peak / 3, peak - 3, peak}) {
        EXPECT_LE(rematBound(p, budget, nullptr, nullptr, stop),
                  rematBound(p, budget));
        EXPECT_EQ(rematClosureBound(p, budget, nullptr, stop), once);
        EXPECT_LE(rematFloor(p, stop), least);
      }
    EXPECT_LE(rematCutBound(p, 1, &up), once);
    // What takes no table knows nothing, not even that nothing fits.
    EXPECT_EQ(rematBound(p, 0, nullptr, nullptr, &small), once);
    EXPECT_EQ(rematBound(p, 0), INT64_MAX);
  }
}

TEST(RematBound, TablesForAFewStepsProveNoMoreThanAllOfThem) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 11);
    const int64_t budget = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    const uint64_t least = Reachability::countBytes(p.steps.size());
    for (uint64_t more : {0, 100, 300}) {
      const StopSign stop(Limits(0, least + more));
      EXPECT_LE(rematBound(p, budget - 4, nullptr, nullptr, &stop),
                rematBound(p, budget - 4));
    }
  }
}

TEST(RematBound, AFlowThatIsCutOffIsNoMoreThanTheCut) {
  MaxFlow flow;
  auto build = [&] {
    flow.reset(5);
    for (uint32_t middle : {2, 3, 4}) {
      flow.addEdge(0, middle, 4);
      flow.addEdge(middle, 1, 3);
    }
  };
  build();
  EXPECT_EQ(flow.run(0, 1), 9);
  EXPECT_FALSE(flow.isStopped());
  StopSign up;
  up.raise();
  flow.setStop(&up);
  build();
  EXPECT_LT(flow.run(0, 1), 9);
  EXPECT_TRUE(flow.isStopped());
}

TEST(RematBound, NoneIsAboveTheOptimum) {
  size_t knapsack = 0, cuts = 0, closures = 0, met = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 5 + seed % 6);
    if (seed % 2) // half of them without updates in place
      writeElsewhere(p);
    constexpr int64_t kScale = int64_t(1) << 42;
    Problem scaled = p;
    for (Step &s : scaled.steps)
      s.cost *= kScale;
    const int64_t once = RematGame(p, {}).costOfOneRun();
    int64_t peak = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    for (int64_t budget = peak - 1; budget > peak * 2 / 3; budget -= 2) {
      RematSearchOptions o;
      o.budget = budget;
      Schedule right = rematSearch(p, o);
      if (right.status == Status::Infeasible)
        break;
      int64_t a = rematBound(p, budget), b = rematCutBound(p, budget),
              c = rematClosureBound(p, budget);
      ASSERT_LE(a, right.cost) << budget;
      ASSERT_LE(b, right.cost) << budget;
      ASSERT_LE(c, right.cost) << budget;
      ASSERT_LE(rematCutBound(scaled, budget), right.cost * kScale) << budget;
      knapsack += a > once;
      cuts += b > once;
      closures += c > std::max(a, b);
      met += right.cost > once && std::max({a, b, c}) == right.cost;
    }
  }
  EXPECT_GT(knapsack, 20u);
  EXPECT_GT(cuts, 20u);
  EXPECT_GT(closures, 10u);
  EXPECT_GT(met, 20u);
}

TEST(RematBound, CountsInAnyUnitOfCost) {
  // In picojoules or in joules, the bound says the same: capacities of cuts are
  // made to fit.
  size_t above = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 8);
    writeElsewhere(p);
    const int64_t once = RematGame(p, {}).costOfOneRun();
    const int64_t peak = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    const int64_t budget = peak * 5 / 6;
    const int64_t scale = int64_t(1) << 50;
    Problem scaled = p;
    for (Step &s : scaled.steps)
      s.cost *= scale / once;
    for (auto bound : {+[](const Problem &p, int64_t budget) {
                         return rematCutBound(p, budget);
                       },
                       +[](const Problem &p, int64_t budget) {
                         return rematClosureBound(p, budget);
                       }}) {
      const int64_t small = bound(p, budget);
      if (small == INT64_MAX || small == 0)
        continue;
      // The bound of small costs is rounded up to a whole unit.
      EXPECT_GT(bound(scaled, budget), (small - 1) * (scale / once));
      above += small > once;
    }
  }
  EXPECT_GT(above, 20u);
}

TEST(RematBound, SuggestsRunsThatMeetItWhereTheyFit) {
  // Layers of different sizes forwards and backwards.
  std::vector<std::string> names;
  std::vector<SmallOp> ops;
  const size_t layers = 12;
  for (size_t i = 0; i < 2 * layers; ++i)
    names.push_back("v" + std::to_string(i));
  for (size_t i = 0; i < 2 * layers; ++i) {
    SmallOp op{
        names[i].c_str(), {}, 1 + int64_t(i * 7 % 5), 1 + int64_t(i * 3 % 4)};
    if (i)
      op.inputs.push_back(names[i - 1].c_str());
    if (i > layers)
      op.inputs.push_back(names[2 * layers - 1 - i].c_str());
    ops.push_back(op);
  }
  const Problem p = smallProblem(ops);
  const int64_t once = RematGame(p, {}).costOfOneRun();
  const int64_t peak = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
  size_t fits = 0, over = 0;
  for (int64_t budget = peak - 1; budget > peak / 2; --budget) {
    std::vector<Id> runs;
    int64_t bound = rematBound(p, budget, &runs);
    ASSERT_NE(bound, INT64_MAX);
    ASSERT_GT(bound, once);
    Replay r = verify(p, scheduleOfRuns(p, runs));
    ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
    if (r.peak[0] > budget) {
      ++over;
      continue;
    }
    ++fits;
    EXPECT_GE(r.cost, bound) << budget;
  }
  EXPECT_GT(fits, 2u);
  EXPECT_GT(over, 2u);
}

TEST(RematBound, WhatRunsAgainNeedsItsInputs) {
  // `wide` has to go while `tip` runs. It is cheap to make again, but out of
  // `dear`, for which there is no room either.
  Problem p = smallProblem({{"dear", {}, 100, 10},
                            {"wide", {"dear"}, 1, 10},
                            {"mid", {"wide"}, 1, 10},
                            {"tip", {"mid"}, 1, 1},
                            {"end", {"tip", "wide"}, 1, 1}});
  p.steps[3].scratch = 20;
  const int64_t budget = 39, once = 104;
  RematSearchOptions o;
  o.budget = budget;
  EXPECT_EQ(rematSearch(p, o).cost, once + 101);
  EXPECT_EQ(rematBound(p, budget), once + 1);
  std::vector<Id> runs;
  // In part, since 8 of the 10 bytes might be kept: 101 / 10 * 2.
  EXPECT_EQ(rematClosureBound(p, budget, &runs), once + 21);
  EXPECT_EQ(runs, (std::vector<Id>{0, 1, 2, 3, 0, 1, 4}));
  EXPECT_TRUE(verify(p, scheduleOfRuns(p, runs), budget).verdict.ok());
  // With room for one of the two, nothing runs again.
  EXPECT_EQ(rematClosureBound(p, budget + 2, &runs), once);
  // With none for `tip` nothing fits.
  EXPECT_EQ(rematClosureBound(p, 30), INT64_MAX);
}
