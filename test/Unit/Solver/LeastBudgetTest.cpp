//===- LeastBudgetTest.cpp - smallest budgets against exact search --------===//

#include "pebble/Solver/Portfolio/LeastBudget.h"
#include "Solver/Remat/RematSearch.h"
#include "pebble/Solver/Remat/RematBound.h"

#include "RandomProblem.h"
#include "RematFixtures.h"

#include <gtest/gtest.h>

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
