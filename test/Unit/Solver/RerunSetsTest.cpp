//===- RerunSetsTest.cpp - which steps run again, by hitting sets ---------===//

#include "Solver/Remat/RerunSets.h"
#include "Solver/Remat/RematSearch.h"
#include "Solver/Remat/RerunRelaxation.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Remat/RematGame.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include "RandomProblem.h"
#include "RematFixtures.h"
#include "RichGraph.h"
#include "TierProblem.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

static int64_t peakOfGivenOrder(const Problem &p) {
  return verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
}

static Schedule rightAnswer(const Problem &p, int64_t budget) {
  RematSearchOptions o;
  o.budget = budget;
  return rematSearch(p, o);
}

namespace {
/// How often what was to be seen was seen.
struct Seen {
  size_t again = 0, nothing = 0, proven = 0, unsettled = 0;
};
} // namespace

/// Against exact search: the bound holds, also where the cost of a schedule is
/// known, and what is found is a schedule of least cost. At budgets from the
/// peak of the given order down to its half, about `parts` to the peak.
static void compareWithExactSearch(const Problem &p, int64_t parts,
                                   uint64_t questions, Seen &seen) {
  const int64_t once = RematGame(p, {}).costOfOneRun();
  const int64_t peak = peakOfGivenOrder(p);
  for (int64_t budget = peak - 1; budget > peak / 2;
       budget -= 1 + peak / parts) {
    const Schedule right = rightAnswer(p, budget);
    RerunSetsOptions o;
    o.budget = budget;
    o.questions = questions;
    const RerunSetsAnswer found = rerunSets(p, o);
    if (right.status == Status::Infeasible) {
      ASSERT_TRUE(found.runs.empty()) << budget;
      seen.nothing += found.bound == INT64_MAX;
      continue;
    }
    ASSERT_EQ(right.status, Status::Optimal) << budget;
    ASSERT_LE(found.bound, right.cost) << budget;
    for (int64_t known : {right.cost, right.cost + 1}) {
      o.known = known;
      const RerunSetsAnswer proof = rerunSets(p, o);
      ASSERT_LE(proof.bound, right.cost) << budget;
      seen.proven += known == right.cost && proof.bound == right.cost &&
                     proof.cores > 0 && !found.runs.empty();
    }
    seen.unsettled += found.runs.empty();
    if (found.runs.empty())
      continue;
    const Replay r = verify(p, scheduleOfRuns(p, found.runs), budget);
    ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
    ASSERT_EQ(r.cost, right.cost) << budget;
    seen.again += right.cost > once;
  }
}

TEST(RerunSets, SayWhatExactSearchSays) {
  Seen seen;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem p = randomGraph(seed, 5 + seed % 8);
    if (rerunSetsRefusal(p).empty())
      ASSERT_NO_FATAL_FAILURE(compareWithExactSearch(p, 10, 3000, seen));
  }
  EXPECT_LT(seen.unsettled * 10, seen.again);
  EXPECT_GT(seen.again, 50u);
  EXPECT_GT(seen.nothing, 20u);
  EXPECT_GT(seen.proven, 50u);
}

TEST(RerunSets, BoundsHoldWhenTheyAreStopped) {
  size_t bounds = 0, partial = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Problem p = randomGraph(seed, 12);
    if (!rerunSetsRefusal(p).empty())
      continue;
    const int64_t budget = peakOfGivenOrder(p) * 4 / 5;
    const Schedule right = rightAnswer(p, budget);
    if (right.status != Status::Optimal)
      continue;
    int64_t before = 0;
    for (uint64_t questions : {1, 10, 100, 1000}) {
      RerunSetsOptions o;
      o.budget = budget;
      o.questions = questions;
      const RerunSetsAnswer a = rerunSets(p, o);
      EXPECT_LE(a.bound, right.cost) << seed;
      EXPECT_GE(a.bound, before) << seed;
      EXPECT_LE(a.questions, questions) << seed;
      before = a.bound;
      ++bounds;
      partial += a.bound < right.cost;
    }
  }
  EXPECT_GT(bounds, 100u);
  EXPECT_GT(partial, 20u);
}

TEST(RerunSets, SeeWhatWaitsBesideEitherBranch) {
  // Two branches that any order interleaves somehow: beside the first run of
  // the second large step, one result waits. Neither is an ancestor of the
  // other's steps, so bounds at one moment see nothing.
  Problem p = smallProblem({{"a", {}, 5, 10},
                            {"A", {"a"}, 1, 1},
                            {"b", {}, 7, 10},
                            {"B", {"b"}, 1, 1},
                            {"m", {"A", "B"}, 1, 1},
                            {"x", {"m", "a"}, 1, 1},
                            {"y", {"x", "b"}, 1, 1}});
  p.steps[1].scratch = p.steps[3].scratch = 12;
  RerunSetsOptions o;
  o.budget = 31;
  const RerunSetsAnswer found = rerunSets(p, o);
  EXPECT_EQ(found.bound, 17 + 5);
  EXPECT_EQ(std::count(found.runs.begin(), found.runs.end(), 0), 2);
  // A step that must not run again leaves the dearer one.
  p.steps[0].recomputable = false;
  EXPECT_EQ(rerunSets(p, o).bound, 17 + 7);
  p.steps[2].pin = Pin::Keep;
  EXPECT_EQ(rerunSets(p, o).bound, INT64_MAX);
}

// A result that is required, and read late as well: after its last run it is
// there once, for the reader and for the end.
TEST(RerunSets, CountARequiredResultOnceThatIsReadToo) {
  Problem p = smallProblem({{"g", {}, 100, 3},
                            {"s", {"g"}, 1, 3},
                            {"r0", {"s"}, 1, 1},
                            {"m", {"r0", "g"}, 1, 1},
                            {"r", {"m", "s"}, 1, 1}});
  p.steps[3].scratch = p.steps[4].scratch = 5;
  p.values[1].required = true;
  RerunSetsOptions o;
  o.budget = 10;
  const Schedule right = rightAnswer(p, o.budget);
  ASSERT_EQ(right.status, Status::Optimal);
  EXPECT_EQ(right.cost, 104 + 1);
  const RerunSetsAnswer found = rerunSets(p, o);
  EXPECT_EQ(found.bound, right.cost);
  EXPECT_EQ(std::count(found.runs.begin(), found.runs.end(), 1), 2);
}

TEST(RerunSets, SayWhatExactSearchSaysOfRichGraphs) {
  Seen seen;
  for (uint64_t seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem p = richGraph(seed, 5 + seed % 8);
    ASSERT_TRUE(check(p).ok()) << check(p).message;
    if (rerunSetsRefusal(p).empty())
      ASSERT_NO_FATAL_FAILURE(compareWithExactSearch(p, 8, 1000, seen));
  }
  EXPECT_GT(seen.again, 40u);
  EXPECT_GT(seen.nothing, 80u);
}

TEST(RerunSets, RefuseWhatIsNotModelled) {
  Problem p = smallProblem({{"a", {}, 1, 1}, {"b", {"a"}, 1, 1}});
  EXPECT_EQ(rerunSetsRefusal(p), "");
  p.steps[0].pin = Pin::Recompute;
  EXPECT_NE(rerunSetsRefusal(p), "");
  p.steps[0].pin = Pin::None;
  p.storages[p.values[1].storage].pinned = true;
  EXPECT_NE(rerunSetsRefusal(p), "");
}

// A run pays only if it has a reader of its own.
TEST(RerunRelaxation, TakesOutRunsThatNobodyReads) {
  const Problem p = smallProblem({{"a", {}, 1, 1},
                                  {"b", {"a"}, 1, 1},
                                  {"c", {"b"}, 1, 1},
                                  {"d", {"c", "b"}, 1, 1}});
  const RerunRelaxation r(p);
  Reruns open(4);
  open.free[0] = open.free[1] = true;
  EXPECT_TRUE(r.useful(open).free[0]);
  EXPECT_TRUE(r.useful(open).free[1]);
  open.free[1] = false; // then `a` has one reader, which runs once
  EXPECT_FALSE(r.useful(open).free[0]);
  open.counts[1] = 1;
  EXPECT_TRUE(r.useful(open).free[0]);
  EXPECT_EQ(r.useful(open).counts[1], 1u);
}

// What another step waits for may run early for that, and again for its only
// reader.
TEST(RerunRelaxation, LeavesFirstRunsToStepsThatWait) {
  Problem p =
      smallProblem({{"a", {}, 7, 5}, {"m", {}, 1, 1}, {"b", {"m", "a"}, 1, 1}});
  p.steps[1].scratch = 9;
  p.precedences.push_back({0, 1, DependenceKind::Effect, kNone});
  Reruns open(3);
  open.free[0] = true;
  EXPECT_TRUE(RerunRelaxation(p).useful(open).free[0]);
  RerunSetsOptions o;
  o.budget = 10;
  EXPECT_EQ(rightAnswer(p, o.budget).cost, 9 + 7);
  const RerunSetsAnswer found = rerunSets(p, o);
  EXPECT_EQ(found.bound, 9 + 7);
  EXPECT_EQ(std::count(found.runs.begin(), found.runs.end(), 0), 2);
}

// Reads that name a copy make a dependence; those that exclude each other leave
// no order.
TEST(RerunRelaxation, OrdersCopiesAndTheirReaders) {
  const Problem p = smallProblem(
      {{"a", {}, 1, 8}, {"b", {"a"}, 1, 1}, {"c", {"a", "b"}, 1, 1}});
  const RerunRelaxation r(p);
  Reruns again(3);
  again.counts[0] = 1;
  ASSERT_EQ(r.undecided(again, {}).size(), 2u);
  const ReadKey b{{1, 0}, 0}, c{{2, 0}, 0};
  Problem orders;
  std::vector<StepRun> runs;
  ASSERT_TRUE(r.build(again, {{b, 0}, {c, 1}}, orders, runs));
  EXPECT_TRUE(check(orders).ok()) << check(orders).message;
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[1].step, 1u);
  EXPECT_EQ(runs[2].copy, 1u);
  // `b` behind the second run of `a`, and `c`, which reads it, before that.
  EXPECT_FALSE(r.build(again, {{b, 1}, {c, 0}}, orders, runs));
}
