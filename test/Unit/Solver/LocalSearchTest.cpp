//===- LocalSearchTest.cpp - changes of runs against the judge ------------===//

#include "Solver/Remat/LocalSearch.h"
#include "Solver/Graph/Random.h"
#include "Solver/Remat/RematSearch.h"
#include "Solver/Remat/RunSequence.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include "RandomProblem.h"
#include "RematFixtures.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

namespace {

int64_t givenPeak(const Problem &p) {
  return verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
}

Schedule local(const Problem &p, int64_t budget, uint64_t seed = 0,
               unsigned threads = 1, bool fixedOrder = false) {
  LocalSearchOptions o;
  o.budget = budget;
  o.seed = seed;
  o.effort = 20000;
  o.threads = threads;
  o.fixedOrder = fixedOrder;
  return localSearch(p, {givenOrder(p)}, o);
}

/// What the judge says about the runs of a sequence.
Replay judge(const Problem &p, const RunSequence &s) {
  return verify(p, scheduleOfRuns(p, s.runs()));
}

} // namespace

TEST(RunSequence, SaysWhatTheJudgeSays) {
  // Random changes; every sequence that settles is judged, and undone ones
  // leave no trace.
  size_t settled = 0, refused = 0, over = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 5 + seed % 12);
    if (!RunSequence::refusal(p).empty())
      continue;
    const int64_t budget = givenPeak(p) * 4 / 5;
    RunSequence s(p, budget, false);
    s.load(givenOrder(p));
    graph::Random random(seed);
    for (int change = 0; change < 60; ++change) {
      const std::vector<Id> before = s.runs();
      const int64_t cost = s.cost();
      const double excess = s.excess();
      for (size_t k = 1 + random.below(3); k > 0; --k) {
        RunSequence::Slot at = random.below(s.slots());
        if (s.at(at) != RunSequence::kEmpty)
          s.remove(at);
        else if (!s.repeatable().empty())
          s.add(s.repeatable()[random.below(s.repeatable().size())], at);
      }
      bool good = s.settle();
      bool all = true;
      for (Id i = 0; i < p.steps.size(); ++i)
        all &= !s.runsOf(i).empty();
      if (all) {
        Replay r = judge(p, s);
        ASSERT_EQ(good, r.verdict.ok()) << r.verdict.message;
        if (good) {
          ++settled;
          ASSERT_EQ(s.cost(), r.cost);
          ASSERT_EQ(s.excess() > 0,
                    *std::max_element(r.live.begin(), r.live.end()) > budget);
          over += s.excess() > 0;
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
      if (random.below(10) == 0) {
        const double now = s.excess();
        s.respace();
        ASSERT_EQ(s.excess(), now);
      }
    }
  }
  EXPECT_GT(settled, 500u);
  EXPECT_GT(refused, 500u);
  EXPECT_GT(over, 100u);
}

TEST(LocalSearch, NeverCheaperThanTheOptimum) {
  size_t found = 0, best = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 4 + seed % 6);
    if (!localSearchRefusal(p, {}).empty())
      continue;
    int64_t peak = givenPeak(p);
    for (int64_t budget : {peak, peak * 9 / 10, peak * 8 / 10}) {
      RematSearchOptions exact;
      exact.budget = budget;
      Schedule right = rematSearch(p, exact);
      Schedule s = local(p, budget);
      if (right.status == Status::Infeasible) {
        EXPECT_EQ(s.status, Status::Unknown);
        break;
      }
      if (s.status == Status::Unknown)
        continue;
      ++found;
      ASSERT_GE(s.cost, right.cost);
      best += s.cost == right.cost;
      Replay r = verify(p, s.moves, budget);
      ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
      ASSERT_EQ(r.cost, s.cost);
      ASSERT_EQ(r.peak[0], s.peak);
    }
  }
  EXPECT_GT(found, 100u);
  EXPECT_GT(best * 20, found * 19);
}

TEST(LocalSearch, FindsTheOptimaOfKnownGraphs) {
  for (auto [budget, least] :
       {std::pair(66, 57), {55, 61}, {45, 68}, {38, 75}}) {
    Schedule s = local(unetTrain(), budget);
    ASSERT_EQ(s.status, Status::Feasible);
    EXPECT_EQ(s.cost, least) << "budget " << budget;
  }
}

TEST(LocalSearch, KeepsTheOrderOfFirstRunsWhereAsked) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem p = randomProblem(seed, 12);
    if (!localSearchRefusal(p, {}).empty())
      continue;
    Schedule s = local(p, givenPeak(p) * 9 / 10, seed, 1, true);
    Id next = 0;
    for (const Move &m : s.moves)
      if (m.kind == MoveKind::Compute && m.subject >= next)
        EXPECT_EQ(m.subject, next++) << "seed " << seed;
  }
}

TEST(LocalSearch, SameSeedSameAnswerWithAnyNumberOfThreads) {
  Problem p = chain8Train();
  Schedule a = local(p, 6, 3, 1), b = local(p, 6, 3, 2);
  ASSERT_EQ(a.status, Status::Feasible);
  EXPECT_EQ(a.cost, b.cost);
  ASSERT_EQ(a.moves.size(), b.moves.size());
  for (size_t i = 0; i < a.moves.size(); ++i)
    EXPECT_EQ(a.moves[i].subject, b.moves[i].subject);
}

TEST(LocalSearch, NoTimeIsNoAnswerOrAValidOne) {
  StopSign stop;
  stop.raise();
  LocalSearchOptions o;
  o.stop = &stop;
  o.budget = 45;
  EXPECT_EQ(localSearch(unetTrain(), {givenOrder(unetTrain())}, o).status,
            Status::Unknown);
  o.budget = givenPeak(unetTrain());
  EXPECT_EQ(localSearch(unetTrain(), {givenOrder(unetTrain())}, o).cost, 57);
}
