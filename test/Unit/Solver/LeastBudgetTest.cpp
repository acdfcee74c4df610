//===- LeastBudgetTest.cpp - smallest budgets against exact search --------===//

#include "pebble/Solver/Portfolio/LeastBudget.h"
#include "Solver/Remat/RematSearch.h"
#include "pebble/Solver/Remat/RematBound.h"

#include "RandomProblem.h"
#include "RematFixtures.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

namespace {

int64_t givenPeak(const Problem &p) {
  return verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
}

LeastCostOptions quick() {
  LeastCostOptions o;
  o.effort = 3000;
  return o;
}

} // namespace

TEST(LeastBudget, AgreesWithExactSearch) {
  size_t proven = 0, under = 0, tight = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 4 + seed % 7);
    int64_t peak = givenPeak(p);
    auto least = smallestBudget(RematGame(p, {}), peak);
    ASSERT_TRUE(least);
    int64_t floor = rematFloor(p);
    ASSERT_LE(floor, *least);
    ASSERT_GE(floor, RematGame(p, {}).largestWorkingSet());
    tight += floor == *least;
    Schedule s = leastBudget(p, quick());
    Replay r = verify(p, s.moves, s.peak);
    ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
    ASSERT_EQ(r.peak[0], s.peak);
    ASSERT_EQ(r.cost, s.cost);
    ASSERT_GE(s.peak, *least);
    ASSERT_LE(s.bound, *least);
    if (s.status == Status::Optimal) {
      ++proven;
      ASSERT_EQ(s.peak, *least);
      ASSERT_EQ(s.minBudget, *least);
    } else {
      ASSERT_FALSE(s.minBudget);
    }
    under += *least < peak;
  }
  EXPECT_GT(proven, 140u);
  EXPECT_GT(under, 30u);
  EXPECT_GT(tight, 40u);
}

TEST(LeastBudget, KnownGraphs) {
  EXPECT_EQ(leastBudget(unetTrain(), {}).minBudget, 36);
  EXPECT_EQ(leastBudget(chain8Train(), {}).minBudget, 3);
}

TEST(LeastBudget, FloorLooksBackFromASetOfInputs) {
  // Each of a, b and c needs a large value of its own while it is made; z reads
  // all three, so the last one is made beside the other two.
  Problem p = smallProblem({{"x", {}, 1, 8},
                            {"a", {"x"}, 1, 5},
                            {"y", {}, 1, 8},
                            {"b", {"y"}, 1, 5},
                            {"w", {}, 1, 8},
                            {"c", {"w"}, 1, 5},
                            {"z", {"a", "b", "c"}, 1, 1}});
  EXPECT_EQ(RematGame(p, {}).largestWorkingSet(), 16);
  EXPECT_EQ(rematFloor(p), 23);
  EXPECT_EQ(leastBudget(p, quick()).peak, 23);
}

TEST(LeastBudget, InfeasibleBudgetsOfLargeProblemsNameTheSmallest) {
  std::vector<SmallOp> ops;
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i)
    names.push_back("v" + std::to_string(i));
  for (int i = 0; i < 100; ++i) {
    SmallOp op{names[i].c_str(), {}, 1, 1 + i % 3};
    if (i)
      op.inputs.push_back(names[i - 1].c_str());
    if (i > 50)
      op.inputs.push_back(names[100 - i].c_str());
    ops.push_back(op);
  }
  Problem p = smallProblem(ops);
  LeastCostOptions o = quick();
  o.budget = rematFloor(p) - 1;
  Schedule s = leastCost(p, o);
  EXPECT_EQ(s.status, Status::Infeasible);
  if (s.minBudget)
    EXPECT_GT(*s.minBudget, *o.budget);
}

TEST(LeastBudget, KnowsTheLeastThatFollowsWishes) {
  // b is wanted again by d, and c takes most beside the first copy.
  Problem p = smallProblem({{"a", {}, 1, 1},
                            {"b", {"a"}, 1, 6},
                            {"c", {"b"}, 1, 7},
                            {"e", {"c"}, 1, 1},
                            {"d", {"b", "e"}, 1, 1}});
  p.steps[1].pin = Pin::Recompute;
  const Schedule least = leastBudget(p, quick());
  EXPECT_EQ(least.minBudget, 13);
  // a runs again as well.
  EXPECT_EQ(least.cost, 7);
  p.steps[1].recomputable = false;
  EXPECT_EQ(leastBudgetRefusal(p, {}),
            "asks to recompute step 'b', which cannot be");
}

TEST(LeastCost, HasAnAnswerWhereTheLeastBudgetHasOneWhenTimeIsUp) {
  size_t budgets = 0, dearer = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem p = randomProblem(seed + 900, 8 + seed * 2);
    LeastCostOptions o;
    o.limits = Limits(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const int64_t least = leastBudget(p, o).peak, most = givenPeak(p);
    int64_t known = INT64_MAX;
    for (int64_t i = 0; i <= 5; ++i) {
      o.budget = least + (most - least) * i / 5;
      const Schedule s = leastCost(p, o);
      ASSERT_TRUE(isAnswered(s.status)) << "budget " << *o.budget;
      ASSERT_TRUE(verify(p, s.moves, o.budget).verdict.ok());
      EXPECT_LE(s.cost, known) << "budget " << *o.budget;
      known = std::min(known, s.cost);
      ++budgets;
      dearer += s.cost > s.bound;
    }
  }
  EXPECT_EQ(budgets, 240u);
  EXPECT_GT(dearer, 5u);
}
