//===- CopiedResultsTest.cpp - own copies for readers ---------------------===//

#include "Solver/Remat/CopiedResults.h"
#include "Solver/Graph/RunIds.h"
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

/// `a` waits for its second reader while something large is made and used.
Problem waiting(int64_t costOfWaiting) {
  return smallProblem({{"a", {}, costOfWaiting, 8},
                       {"p", {"a"}, 1, 1},
                       {"large", {"p"}, 1, 14},
                       {"r", {"large"}, 1, 1},
                       {"q", {"a", "r"}, 1, 1}});
}

Replay judge(const Problem &p, const std::vector<Id> &runs) {
  return verify(p, scheduleOfRuns(p, runs));
}

std::vector<Id> copies(const Problem &p, int64_t budget) {
  PeakOrderOptions o;
  o.enough = budget;
  o.effort = 20000;
  return runsWithCopies(p, budget, givenOrder(p), o, nullptr);
}

} // namespace

TEST(CopiedResults, MakesWhatWaitsAtThePeakAgain) {
  const Problem p = waiting(5);
  const std::vector<Id> runs = copies(p, 15);
  EXPECT_EQ(runs, (std::vector<Id>{0, 1, 2, 3, 0, 4}));
  const Replay r = judge(p, runs);
  ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
  EXPECT_EQ(r.peak[0], 15);
  EXPECT_EQ(r.cost, 14);
}

TEST(CopiedResults, CopiesNothingThatTheBudgetDoesNotNeed) {
  EXPECT_EQ(copies(waiting(5), 23), givenOrder(waiting(5)));
}

TEST(CopiedResults, CopiesNothingThatMayNotRunAgain) {
  Problem p = waiting(5);
  p.steps[0].recomputable = false;
  EXPECT_EQ(copies(p, 15), givenOrder(p));
  p = waiting(5);
  p.steps[0].pin = Pin::Keep;
  EXPECT_EQ(copies(p, 15), givenOrder(p));
}

TEST(CopiedResults, KeepsACopyOfWhatIsRequired) {
  Problem p = waiting(5);
  p.values[0].required = true;
  const std::vector<Id> runs = copies(p, 15);
  EXPECT_EQ(std::count(runs.begin(), runs.end(), 0), 2);
  const Replay r = judge(p, runs);
  ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
  EXPECT_EQ(r.peak[0], 15);
}

TEST(CopiedResults, MakesValidSchedulesOfNoLargerPeak) {
  size_t lower = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem p = randomProblem(seed, 6 + seed % 20);
    if (!RunSequence::refusal(p).empty() || hasWishes(p))
      continue;
    const Replay given = judge(p, givenOrder(p));
    const std::vector<Id> runs = copies(p, given.peak[0] * 3 / 5);
    const Replay r = judge(p, runs);
    ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
    EXPECT_LE(r.peak[0], given.peak[0]);
    EXPECT_GE(r.cost, given.cost);
    if (runs.size() > p.steps.size()) {
      ++lower;
      EXPECT_LT(r.peak[0], given.peak[0]);
    }
  }
  EXPECT_GT(lower, 10u);
}
