//===- FindScheduleTest.cpp - one request, one answer ---------------------===//

#include "pebble/Solver/Portfolio/FindSchedule.h"
#include "pebble/Solver/Portfolio/LeastBudget.h"
#include "pebble/Solver/Remat/RematGreedy.h"
#include "pebble/Solver/Timeline/MakespanBound.h"

#include "RandomProblem.h"
#include "RematFixtures.h"
#include "TierProblem.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::test;
using namespace pebble::timeline;

namespace {

Durations durationsOf(const TierProblem &t) {
  return timeline::durationsOf(t.problem, t.costs);
}

portfolio::Answer solve(const TierProblem &t, int64_t budget, bool recompute,
                        bool offload) {
  portfolio::Request r;
  r.problem = t.problem;
  r.objective = portfolio::Objective::Time;
  r.search.transfers = t.costs;
  r.search.budget = budget;
  r.search.means.recompute = recompute;
  r.search.means.offload = offload;
  r.search.effort = 500;
  return portfolio::findSchedule(r);
}

} // namespace

TEST(FindSchedule, ProgramsKeepTheRulesAndBothMeansAreNoSlowerThanOne) {
  size_t answered = 0, faster = 0, proven = 0;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TierProblem t =
        withSlowTiers(randomGraph(seed, 8 + seed % 3),
                      {seed % 2 ? 6 : kUnbounded, kUnbounded}, seed, 9);
    const Problem &p = t.problem;
    const Durations d = durationsOf(t);
    const int64_t most = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    const int64_t budget = most - 1 - static_cast<int64_t>(seed % 5);
    std::optional<int64_t> alone;
    for (bool recompute : {true, false}) {
      const portfolio::Answer one = solve(t, budget, recompute, !recompute);
      if (one.schedule.status != Status::Feasible &&
          one.schedule.status != Status::Optimal)
        continue;
      alone = alone ? std::min(*alone, one.schedule.cost) : one.schedule.cost;
      // One that is proven cannot be beaten by what it was to beat.
      ASSERT_LE(one.schedule.bound, one.schedule.cost);
    }
    const portfolio::Answer both = solve(t, budget, true, true);
    if (both.schedule.moves.empty()) {
      ASSERT_FALSE(alone);
      continue;
    }
    ++answered;
    const Timeline clock = replay(
        p,
        both.program ? both.program->actions : waitAtOnce(both.schedule.moves),
        d, budget);
    ASSERT_TRUE(clock.verdict.ok()) << clock.verdict.message;
    ASSERT_EQ(clock.makespan, both.schedule.cost);
    ASSERT_LE(both.schedule.bound, both.schedule.cost);
    const Replay r = verify(p, both.schedule.moves, budget);
    ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
    ASSERT_EQ(r.peak[0], both.schedule.peak);
    if (alone) {
      ASSERT_LE(both.schedule.cost, *alone);
      faster += both.schedule.cost < *alone;
    }
    proven += both.schedule.status == Status::Optimal;
  }
  EXPECT_GT(answered, 20u);
  EXPECT_GT(faster, 0u);
  EXPECT_GT(proven, 0u);
}

/// Too large for exact search to end, and with all attempts.
TEST(FindSchedule, BothMeansAreNoSlowerThanOneByEffort) {
  size_t faster = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TierProblem t = withSlowTiers(randomGraph(seed, 40), {kUnbounded}, seed, 9);
    const Problem &p = t.problem;
    const int64_t most = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    const int64_t budget = most * 6 / 10;
    const Schedule both = solve(t, budget, true, true).schedule;
    for (bool recompute : {true, false}) {
      const Schedule one = solve(t, budget, recompute, !recompute).schedule;
      if (one.moves.empty())
        continue;
      ASSERT_FALSE(both.moves.empty());
      ASSERT_LE(both.cost, one.cost) << "recompute " << recompute;
      faster += both.cost < one.cost;
    }
  }
  EXPECT_GT(faster, 0u);
}

TEST(FindSchedule, TransfersThatHideCostNothing) {
  // f moves while h and i run.
  Problem p = smallProblem({{"f", {}, 100, 4},
                            {"g", {"f"}, 40, 2},
                            {"h", {"g"}, 40, 4},
                            {"i", {"h"}, 40, 4},
                            {"k", {"i"}, 40, 1},
                            {"j", {"f", "k"}, 1, 1}});
  TierProblem t = withSlowTiers(p, {kUnbounded}, 1);
  t.costs.stores[1].assign(p.values.size(), 30);
  t.costs.loads[1].assign(p.values.size(), 30);
  const portfolio::Answer found = solve(t, 10, true, true);
  EXPECT_EQ(found.schedule.status, Status::Optimal);
  EXPECT_EQ(found.schedule.cost, 261);
  EXPECT_EQ(found.program->timeline.moving, 60);
  EXPECT_EQ(found.program->timeline.stalled, 0);
}

TEST(FindSchedule, NoProgramEndsBeforeTheBound) {
  // Nothing hides: f has to leave at once and come back at once.
  Problem p = smallProblem(
      {{"f", {}, 100, 4}, {"h", {}, 1, 8}, {"j", {"f", "h"}, 1, 1}});
  p.precedences.push_back({0, 1, DependenceKind::Effect, kNone});
  TierProblem t = withSlowTiers(p, {kUnbounded}, 1);
  graph::RematMeans means;
  means.offload = true;
  EXPECT_EQ(makespanBound(t.problem, durationsOf(t), 8, means), INT64_MAX);
  EXPECT_EQ(makespanBound(t.problem, durationsOf(t), std::nullopt, means), 102);
  const portfolio::Answer found = solve(t, 8, true, true);
  EXPECT_EQ(found.schedule.status, Status::Infeasible);
}

TEST(FindSchedule, TheMixIsNeverDearerThanEitherAlone) {
  size_t better = 0;
  for (uint64_t seed = 0; seed < 20; ++seed)
    for (int64_t rate : {1, 2}) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      portfolio::Request r;
      r.problem = randomProblem(seed, 14);
      r.problem.hierarchy.tiers.assign(2, {"fast"});
      r.problem.hierarchy.tiers[1].name = "slow";
      const Problem &p = r.problem;
      r.search.budget =
          verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0] * 7 / 10;
      r.search.effort = 1000;
      // What is left are searches that prove little.
      r.search.without = {"quick-exact", "exact", "remat-search"};
      r.search.means.offloadRate = rate;
      int64_t least = INT64_MAX;
      auto solve = [&](bool recompute, bool offload) {
        r.search.means.recompute = recompute;
        r.search.means.offload = offload;
        return portfolio::findSchedule(r).schedule;
      };
      for (bool recompute : {true, false})
        if (Schedule s = solve(recompute, !recompute); !s.moves.empty())
          least = std::min(least, s.cost);
      const Schedule mixed = solve(true, true);
      if (mixed.moves.empty()) {
        EXPECT_EQ(least, INT64_MAX);
        continue;
      }
      EXPECT_LE(mixed.cost, least);
      EXPECT_LE(mixed.bound, mixed.cost);
      EXPECT_TRUE(verify(p, mixed.moves, r.search.budget).verdict.ok());
      better += mixed.cost < least;
    }
  EXPECT_GT(better, 0u);
}

TEST(FindSchedule, EachAttemptCanBeLeftOut) {
  const std::vector<std::string> names = portfolio::attemptNames();
  EXPECT_EQ(std::count(names.begin(), names.end(), "exact"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "peak-cuts"), 1);
  TierProblem t = withSlowTiers(randomGraph(3, 10), {kUnbounded}, 3);
  const Problem &p = t.problem;
  portfolio::Request r;
  r.problem = p;
  r.search.transfers = t.costs;
  r.search.budget = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0] - 1;
  r.search.means.offload = true;
  EXPECT_FALSE(portfolio::findSchedule(r).schedule.moves.empty());
  r.search.without = names;
  EXPECT_TRUE(portfolio::findSchedule(r).schedule.moves.empty());
}

TEST(FindSchedule, WhatAUnitReadsGoesAfterItsLastReader) {
  // b and c make one unit; a is read by b alone, and c takes much inside.
  Problem p = smallProblem({{"a", {}, 1, 4},
                            {"b", {"a"}, 1, 4},
                            {"c", {"b"}, 1, 4},
                            {"d", {"c"}, 1, 1}});
  p.values[2].storage = p.values[1].storage;
  p.values[2].overwrites = 1;
  p.steps[2].recomputable = false;
  p.steps[2].scratch = 6;
  ASSERT_TRUE(check(p).ok()) << check(p).message;
  portfolio::Request r;
  r.problem = p;
  r.runOnce.assign(4, "");
  r.search.budget = 20;
  r.search.solver = "remat-search";
  const Schedule found = portfolio::findSchedule(r).schedule;
  ASSERT_EQ(found.status, Status::Optimal);
  EXPECT_EQ(found.peak, 10);
}

// Nobody searches, so the answer is the start, with its loads.
/// A step of training: each value is read at once and, the last one first, once
/// more.
static Problem smallTraining(int steps) {
  std::vector<std::string> names;
  for (int i = 0; i < steps; ++i)
    names.push_back("v" + std::to_string(i));
  std::vector<SmallOp> ops;
  for (int i = 0; i < steps; ++i) {
    SmallOp op{names[i].c_str(), {}, 1, 4};
    if (i)
      op.inputs.push_back(names[i - 1].c_str());
    if (i > steps / 2)
      op.inputs.push_back(names[steps - i].c_str());
    ops.push_back(op);
  }
  return smallProblem(ops);
}

/// A limit that is over at once ends searches, not the first answer: on small
/// problems, which exact search takes, as on large ones.
TEST(FindSchedule, NoLimitIsAReasonToHaveNothing) {
  const std::atomic<bool> isOver{true};
  for (int steps : {20, 60, 200}) {
    const Problem p = smallTraining(steps);
    portfolio::Request r;
    r.problem = p;
    r.search.budget =
        verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0] * 2 / 3;
    r.search.limits = graph::Limits(1).interruptedBy(&isOver);
    const Schedule s = portfolio::findSchedule(r).schedule;
    ASSERT_TRUE(isAnswered(s.status)) << steps << " steps";
    EXPECT_TRUE(verify(p, s.moves, r.search.budget).verdict.ok());
  }
}

/// The moment of exact search that comes first leaves time for the rest.
TEST(FindSchedule, QuickExactSearchLeavesTime) {
  const Problem p = randomProblem(40, 60);
  portfolio::Request r;
  r.problem = p;
  r.search.limits = graph::Limits(400);
  const Schedule least = graph::leastBudget(p, r.search);
  r.search.budget = least.peak;
  r.search.limits = graph::Limits(4000);
  const Schedule s = portfolio::findSchedule(r).schedule;
  ASSERT_TRUE(isAnswered(s.status));
  EXPECT_LE(s.cost, least.cost);
}

/// `c0` and the update `c1` take too much as one step, and apart an update runs
/// once: neither way fits. Yet the chain may be made again step by step, so
/// that nothing is proven.
TEST(FindSchedule, AChainThatMightRunAgainApartIsNoProof) {
  Problem p = smallProblem({{"a", {}, 1, 4},
                            {"c0", {"a"}, 1, 2},
                            {"d", {}, 1, 4},
                            {"c1", {"c0", "d"}, 1, 2},
                            {"s", {"c1"}, 1, 1},
                            {"big", {"s"}, 1, 6},
                            {"t", {"big"}, 1, 1},
                            {"e", {"c1", "t"}, 1, 1}});
  p.values[3].storage = p.values[1].storage;
  p.values[3].overwrites = 1;
  p.steps[3].recomputable = false;
  ASSERT_TRUE(check(p).ok()) << check(p).message;
  portfolio::Request r;
  r.problem = p;
  r.runOnce = std::vector<std::string>(p.steps.size());
  r.search.budget = 7;
  r.namesLeast = true;
  const portfolio::Answer found = portfolio::findSchedule(r);
  EXPECT_EQ(found.schedule.status, Status::Unknown);
  EXPECT_FALSE(found.schedule.minBudget);
  EXPECT_FALSE(found.least && found.least->isProven);
  // The schedule that is there.
  const Problem judged = portfolio::judgedProblem(p, r.runOnce);
  const std::vector<Id> runs = {0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 7};
  const Replay replay =
      verify(judged, graph::scheduleOfRuns(judged, runs), *r.search.budget);
  EXPECT_TRUE(replay.verdict.ok()) << replay.verdict.message;
  // An update that takes no part in a chain leaves what is proven.
  r.search.budget = 3;
  EXPECT_EQ(portfolio::findSchedule(r).schedule.status, Status::Infeasible);
}

TEST(FindSchedule, AStartWithTransfersIsKept) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    TierProblem t = withSlowTiers(randomGraph(seed, 10), {kUnbounded}, 3);
    const Problem &p = t.problem;
    portfolio::Request r;
    r.problem = p;
    r.search.transfers = t.costs;
    r.search.budget = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0] - 1;
    r.search.means.offload = true;
    const Schedule first = portfolio::findSchedule(r).schedule;
    if (!isAnswered(first.status))
      continue;
    r.search.start = first.moves;
    r.search.without = portfolio::attemptNames();
    const Schedule again = portfolio::findSchedule(r).schedule;
    ASSERT_TRUE(isAnswered(again.status)) << seed;
    EXPECT_LE(again.cost, first.cost) << seed;
    EXPECT_TRUE(verify(p, again.moves, r.search.budget).verdict.ok()) << seed;
  }
}
