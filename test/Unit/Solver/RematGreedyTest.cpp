//===- RematGreedyTest.cpp - walks and bounds against exact answers -------===//

#include "pebble/Solver/Remat/RematGreedy.h"
#include "Solver/Remat/Baselines.h"
#include "Solver/Remat/RematSearch.h"
#include "pebble/Solver/Portfolio/LeastCost.h"
#include "pebble/Solver/Portfolio/RematSolvers.h"
#include "pebble/Solver/Remat/RematBound.h"

#include "RandomProblem.h"
#include "RematFixtures.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

namespace {

Schedule greedy(const Problem &p, int64_t budget, uint64_t seed = 0) {
  RematGreedyOptions options;
  options.budget = budget;
  options.seed = seed;
  options.effort = 60;
  return rematGreedy(p, {givenOrder(p)}, options);
}

Schedule exact(const Problem &p, int64_t budget) {
  RematSearchOptions options;
  options.budget = budget;
  return rematSearch(p, options);
}

/// Layers forwards and backwards, as training steps are.
Problem chain(size_t layers) {
  std::vector<SmallOp> ops;
  std::vector<std::string> names;
  for (size_t i = 0; i < 2 * layers; ++i)
    names.push_back((i < layers ? "f" : "b") + std::to_string(i));
  for (size_t i = 0; i < 2 * layers; ++i) {
    SmallOp op{
        names[i].c_str(), {}, 1 + int64_t(i * 7 % 5), 1 + int64_t(i * 3 % 4)};
    if (i)
      op.inputs.push_back(names[i - 1].c_str());
    if (i >= layers)
      op.inputs.push_back(names[2 * layers - 1 - i].c_str());
    ops.push_back(op);
  }
  return smallProblem(ops);
}

} // namespace

TEST(RematGreedy, SchedulesOfRunsPassTheJudge) {
  // f, g, f again: the first copy goes before the second is made.
  Problem p = smallProblem(
      {{"f", {}, 1, 4}, {"g", {"f"}, 1, 3}, {"h", {"f", "g"}, 1, 1}});
  std::vector<Move> moves = scheduleOfRuns(p, {0, 1, 0, 2});
  Replay r = verify(p, moves);
  EXPECT_TRUE(r.verdict.ok()) << r.verdict.message;
  EXPECT_EQ(r.cost, 4);
  EXPECT_EQ(r.peak[0], 8);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Problem random = randomProblem(seed, 12);
    Replay once = verify(random, scheduleOfRuns(random, givenOrder(random)));
    EXPECT_TRUE(once.verdict.ok()) << seed << ": " << once.verdict.message;
    EXPECT_EQ(once.peak,
              verify(random, scheduleOfOrder(random, givenOrder(random))).peak);
  }
}

TEST(RematGreedy, NeverCheaperThanTheOptimumNorTheBoundDearer) {
  size_t found = 0, best = 0, binding = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 4 + seed % 6);
    int64_t peak = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    for (int64_t budget = peak; budget > peak * 2 / 3; --budget) {
      Schedule right = exact(p, budget);
      int64_t bound = rematBound(p, budget);
      Schedule s = greedy(p, budget);
      if (right.status == Status::Infeasible) {
        EXPECT_EQ(s.status, Status::Unknown);
        break;
      }
      ASSERT_EQ(right.status, Status::Optimal);
      ASSERT_LE(bound, right.cost) << "budget " << budget;
      binding += bound > RematGame(p, {}).costOfOneRun();
      if (s.status == Status::Unknown)
        continue;
      ++found;
      ASSERT_GE(s.cost, right.cost);
      best += s.cost == right.cost;
      Replay r = verify(p, s.moves, budget);
      ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
      ASSERT_EQ(r.cost, s.cost);
    }
  }
  EXPECT_GT(found, 100u);
  EXPECT_GT(best * 10, found * 8);
  EXPECT_GT(binding, 10u);
}

TEST(RematGreedy, UnetTrainComesNearTheOptimum) {
  for (auto [budget, least] : {std::pair(66, 57), {55, 61}, {45, 68}}) {
    Schedule s = greedy(unetTrain(), budget);
    ASSERT_EQ(s.status, Status::Feasible);
    EXPECT_GE(s.cost, least);
    EXPECT_LE(s.cost, least * 11 / 10);
    EXPECT_LE(rematBound(unetTrain(), budget), least);
  }
  EXPECT_EQ(rematBound(unetTrain(), 66), 57);
  EXPECT_GT(rematBound(unetTrain(), 45), 57 + 4);
  EXPECT_EQ(rematBound(unetTrain(), 10), INT64_MAX);
}

TEST(RematGreedy, LongChainsGetVerifiedAnswers) {
  Problem p = chain(200);
  int64_t peak = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
  LeastCostOptions options;
  for (int percent : {70, 50, 30}) {
    options.budget = peak * percent / 100;
    options.effort = 20;
    Schedule s = leastCost(p, options);
    ASSERT_TRUE(s.status == Status::Feasible || s.status == Status::Optimal);
    Replay r = verify(p, s.moves, options.budget);
    EXPECT_TRUE(r.verdict.ok()) << r.verdict.message;
    EXPECT_EQ(r.cost, s.cost);
    EXPECT_LE(s.bound, s.cost);
    EXPECT_GT(s.bound, RematGame(chain(3), {}).costOfOneRun());
  }
}

TEST(RematGreedy, SameSeedSameAnswer) {
  Problem p = chain(40);
  int64_t budget = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0] / 2;
  Schedule a = greedy(p, budget, 7), b = greedy(p, budget, 7);
  EXPECT_EQ(a.cost, b.cost);
  ASSERT_EQ(a.moves.size(), b.moves.size());
  for (size_t i = 0; i < a.moves.size(); ++i)
    EXPECT_EQ(a.moves[i].subject, b.moves[i].subject);
}

TEST(RematGreedy, KeepsTheOrderOfFirstRunsWhereAsked) {
  // a is made long before it is read. Its first run is needless, but its place
  // in the order is not.
  Problem p = smallProblem({{"a", {}, 1, 5},
                            {"b", {}, 1, 5},
                            {"c", {"b"}, 1, 5},
                            {"d", {"a", "c"}, 1, 1}});
  RematGreedyOptions o;
  o.budget = 11;
  ASSERT_EQ(rematGreedy(p, {givenOrder(p)}, o).cost, 4);
  o.fixedOrder = true;
  ASSERT_EQ(rematGreedy(p, {givenOrder(p)}, o).cost, 5);
  // The portfolio and exact search agree on that.
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem random = randomProblem(seed, 8);
    LeastCostOptions all;
    all.means.fixedOrder = true;
    all.budget =
        verify(random, scheduleOfOrder(random, givenOrder(random))).peak[0] *
        9 / 10;
    RematSearchOptions exact;
    exact.means = all.means;
    exact.budget = all.budget;
    Schedule s = leastCost(random, all), right = rematSearch(random, exact);
    EXPECT_EQ(s.status, right.status);
    EXPECT_EQ(s.cost, right.cost);
    EXPECT_EQ(s.minBudget, right.minBudget);
  }
}

TEST(LeastCost, AgreesWithExactSearch) {
  size_t recomputed = 0;
  for (uint64_t seed = 700; seed < 800; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 8);
    int64_t peak = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    for (int64_t budget : {peak, peak * 9 / 10, peak * 3 / 4}) {
      Schedule right = exact(p, budget);
      LeastCostOptions options;
      options.budget = budget;
      Schedule s = leastCost(p, options);
      ASSERT_EQ(s.status, right.status);
      EXPECT_EQ(s.minBudget.has_value(), right.minBudget.has_value());
      if (s.status != Status::Optimal)
        continue;
      ASSERT_EQ(s.cost, right.cost);
      ASSERT_EQ(s.bound, right.cost);
      Replay r = verify(p, s.moves, budget);
      ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
      ASSERT_EQ(r.cost, s.cost);
      recomputed += s.cost > RematGame(p, {}).costOfOneRun();
    }
  }
  EXPECT_GT(recomputed, 3u);
}

TEST(LeastCost, MillisecondGivesAnAnswerOrNone) {
  Problem p = chain(150);
  LeastCostOptions options;
  options.limits = Limits(1);
  options.budget = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0] / 2;
  Schedule s = leastCost(p, options);
  if (s.status == Status::Feasible)
    EXPECT_TRUE(verify(p, s.moves, options.budget).verdict.ok());
  else
    EXPECT_EQ(s.status, Status::Unknown);
}

TEST(LeastCost, SaysWhatItDoesNotTake) {
  Problem p = chain(100);
  LeastCostOptions options;
  EXPECT_EQ(leastCostRefusal(p, options), "");
  options.solver = "remat-search";
  EXPECT_NE(leastCostRefusal(p, options).find("64 steps"), std::string::npos);
  for (const RematSolver &s : rematSolvers()) {
    EXPECT_EQ(findRematSolver(s.name), &s);
    EXPECT_LE(std::string(s.help).size(), 50u) << s.name;
  }
  options.solver = "luck";
  EXPECT_NE(leastCostRefusal(p, options).find("no solver 'luck'"),
            std::string::npos);
}

TEST(RematGreedy, WhatIsOverTriesNothing) {
  Problem p = unetTrain();
  LeastCostOptions o;
  o.budget = 50;
  EXPECT_FALSE(xlaGreedy(p, o).limited);
  const int64_t given = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
  ASSERT_GT(given, 50);
  o.limits = Limits().within(-1);
  Schedule s = xlaGreedy(p, o);
  EXPECT_TRUE(s.limited);
  EXPECT_EQ(s.status, Status::Unknown);
}
