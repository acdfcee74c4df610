//===- SweepTest.cpp - curves without holes, against single searches ------===//

#include "pebble/Solver/Portfolio/Sweep.h"
#include "Solver/Remat/RematSearch.h"

#include "RandomProblem.h"
#include "RematFixtures.h"

#include <gtest/gtest.h>

#include <atomic>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

namespace {

/// Checks what holds of every sweep.
void expectCurve(const Problem &p, const Sweep &sweep) {
  ASSERT_FALSE(sweep.points.empty());
  EXPECT_EQ(sweep.givenPeak,
            verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0]);
  EXPECT_EQ(sweep.points.back().budget, sweep.givenPeak);
  EXPECT_EQ(sweep.points.back().schedule.cost, sweep.once);
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const auto &[budget, s, outOfPlace] = sweep.points[i];
    EXPECT_TRUE(outOfPlace.empty());
    const Replay r = verify(p, s.moves, budget);
    EXPECT_TRUE(r.verdict.ok()) << r.verdict.message;
    EXPECT_EQ(r.cost, s.cost);
    EXPECT_EQ(r.peak[0], s.peak);
    EXPECT_LE(s.bound, s.cost);
    EXPECT_EQ(s.status == Status::Optimal, s.bound == s.cost);
    if (i == 0)
      continue;
    EXPECT_GT(budget, sweep.points[i - 1].budget);
    EXPECT_LE(s.cost, sweep.points[i - 1].schedule.cost);
    EXPECT_LE(s.bound, sweep.points[i - 1].schedule.bound);
  }
}

TEST(Sweep, MeetsExactSearchAtEachBudget) {
  size_t rising = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem p = randomProblem(seed, 4 + seed % 7);
    const Sweep sweep = sweepBudgets(p, {}, 8);
    expectCurve(p, sweep);
    EXPECT_TRUE(sweep.leastIsProven);
    for (const SweepPoint &point : sweep.points) {
      RematSearchOptions o;
      o.budget = point.budget;
      EXPECT_EQ(rematSearch(p, o).cost, point.schedule.cost);
      EXPECT_EQ(point.schedule.status, Status::Optimal);
    }
    RematSearchOptions less;
    less.budget = sweep.points.front().budget - 1;
    EXPECT_EQ(rematSearch(p, less).status, Status::Infeasible);
    rising += sweep.points.front().schedule.cost > sweep.once;
  }
  EXPECT_GT(rising, 5u);
}

TEST(Sweep, HasNoHolesWhateverTheSearchFinds) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LeastCostOptions o;
    o.effort = 1 + seed * 7;
    o.solver = seed % 2 ? "remat-greedy" : "";
    o.seed = seed;
    const Problem p = randomProblem(seed + 500, 60);
    if (sweepRefusal(p, o).empty())
      expectCurve(p, sweepBudgets(p, o, 12));
  }
}

TEST(Sweep, IsWholeWhenSomebodyEndsIt) {
  const Problem p = unetTrain();
  std::atomic<bool> flag{false};
  LeastCostOptions o;
  o.limits = Limits().interruptedBy(&flag);
  size_t heard = 0;
  const Sweep sweep =
      sweepBudgets(p, o, 10, [&](int64_t) { flag = ++heard >= 3; });
  EXPECT_EQ(heard, 10u);
  EXPECT_EQ(sweep.points.size(), 10u);
  expectCurve(p, sweep);
}

TEST(Sweep, HasFewerPointsThanBudgets) {
  const Problem p =
      smallProblem({{"a", {}, 1, 1}, {"b", {"a"}, 1, 1}, {"c", {"b"}, 1, 1}});
  const Sweep sweep = sweepBudgets(p, {}, 40);
  expectCurve(p, sweep);
  EXPECT_LE(sweep.points.size(), 2u);
}

TEST(Sweep, RefusesWhatNoSolverTakes) {
  LeastCostOptions o;
  o.solver = "nobody";
  EXPECT_NE(sweepRefusal(unetTrain(), o), "");
  EXPECT_EQ(sweepRefusal(unetTrain(), {}), "");
}

} // namespace
