//===- BaselinesTest.cpp - the heuristics that people know ----------------===//

#include "Solver/Remat/Baselines.h"
#include "Solver/Remat/RematSearch.h"
#include "pebble/Solver/Portfolio/RematSolvers.h"

#include "RandomProblem.h"
#include "RematFixtures.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

namespace {

const char *const names[] = {"keep-all", "least-peak-first", "sqrt-n",
                             "chen-greedy", "xla-greedy"};

int64_t givenPeak(const Problem &p) {
  return verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
}

Schedule by(const char *name, const Problem &p, int64_t budget) {
  LeastCostOptions o;
  o.budget = budget;
  o.solver = name;
  return leastCost(p, o);
}

/// n layers forwards, n backwards; each backward step reads its layer's input.
Problem chain(size_t n) {
  std::vector<std::string> names;
  for (size_t i = 0; i < 2 * n; ++i)
    names.push_back("v" + std::to_string(i));
  std::vector<SmallOp> ops;
  for (size_t i = 0; i < 2 * n; ++i) {
    SmallOp op{names[i].c_str(), {}, 1, 1};
    if (i)
      op.inputs.push_back(names[i - 1].c_str());
    if (i > n)
      op.inputs.push_back(names[2 * n - 1 - i].c_str());
    ops.push_back(op);
  }
  return smallProblem(ops);
}

size_t timesRun(const Schedule &s, Id step) {
  return std::count_if(s.moves.begin(), s.moves.end(), [&](const Move &m) {
    return m.kind == MoveKind::Compute && m.subject == step;
  });
}

} // namespace

TEST(Baselines, AnswersAreValidAndNeverUnderTheOptimum) {
  size_t found[5] = {}, unknown[5] = {};
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 4 + seed % 7);
    const int64_t peak = givenPeak(p);
    for (int64_t budget : {peak, peak * 9 / 10, peak * 3 / 4}) {
      RematSearchOptions exact;
      exact.budget = budget;
      Schedule right = rematSearch(p, exact);
      for (size_t i = 0; i < 5; ++i) {
        LeastCostOptions o;
        o.solver = names[i];
        if (!leastCostRefusal(p, o).empty())
          continue;
        Schedule s = by(names[i], p, budget);
        ASSERT_EQ(s.solver, names[i]);
        ASSERT_LE(s.bound,
                  right.status == Status::Optimal ? right.cost : INT64_MAX);
        if (s.status == Status::Infeasible)
          ASSERT_EQ(right.status, Status::Infeasible);
        if (s.status == Status::Unknown || s.status == Status::Infeasible) {
          ++unknown[i];
          ASSERT_TRUE(s.moves.empty());
          if (s.peak != 0)
            ASSERT_GT(s.peak, budget);
          continue;
        }
        ++found[i];
        ASSERT_EQ(right.status, Status::Optimal);
        ASSERT_GE(s.cost, right.cost) << names[i];
        Replay r = verify(p, s.moves, budget);
        ASSERT_TRUE(r.verdict.ok()) << names[i] << ": " << r.verdict.message;
        ASSERT_EQ(r.cost, s.cost);
        ASSERT_EQ(r.peak[0], s.peak);
      }
    }
  }
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_GT(found[i], 100u) << names[i];
    EXPECT_GT(unknown[i], 20u) << names[i];
  }
}

TEST(Baselines, KeepAllIsTheGivenOrder) {
  Problem p = chain(16);
  Schedule s = by("keep-all", p, 100);
  EXPECT_EQ(s.status, Status::Optimal);
  EXPECT_EQ(s.peak, givenPeak(p));
  Schedule less = by("keep-all", p, givenPeak(p) - 1);
  EXPECT_EQ(less.status, Status::Unknown);
  EXPECT_EQ(less.peak, givenPeak(p));
}

TEST(Baselines, SqrtCheckpointsRunEachSegmentTwice) {
  // 16 layers: results 3, 7, 11 and 15 stay; the others run twice, but for what
  // no backward step needs. Peak: the checkpoints and a segment, not all.
  Problem p = chain(16);
  Schedule s = by("sqrt-n", p, 12);
  ASSERT_EQ(s.status, Status::Feasible);
  for (Id i : {3, 7, 11})
    EXPECT_EQ(timesRun(s, i), 1u) << i;
  for (Id i : {0, 1, 2, 4, 5, 6, 8, 9, 10})
    EXPECT_EQ(timesRun(s, i), 2u) << i;
  for (Id i = 16; i < 32; ++i)
    EXPECT_EQ(timesRun(s, i), 1u) << i;
  EXPECT_LT(s.peak, givenPeak(p) * 2 / 3);
}

TEST(Baselines, ChenGreedyTakesTheCheapestThatFits) {
  Problem p = chain(36);
  int64_t last = 0;
  for (int64_t budget = givenPeak(p); budget >= 16; budget -= 2) {
    Schedule s = by("chen-greedy", p, budget);
    ASSERT_NE(s.status, Status::Unknown) << budget;
    EXPECT_LE(s.peak, budget);
    EXPECT_GE(s.cost, last);
    EXPECT_LE(s.cost, 72 + 36);
    last = s.cost;
  }
  EXPECT_EQ(by("chen-greedy", p, 8).status, Status::Unknown);
}

TEST(Baselines, XlaGreedyMakesAgainWhatIsCheapForItsBytes) {
  // Beside the peak a and b wait; b is the better bargain.
  Problem p = smallProblem({{"x", {}, 1, 1},
                            {"a", {"x"}, 9, 10},
                            {"b", {"x"}, 2, 10},
                            {"peak", {"a", "b"}, 1, 1},
                            {"top", {"peak"}, 1, 20},
                            {"low", {"top"}, 1, 1},
                            {"end", {"low", "a", "x"}, 1, 1},
                            {"out", {"end", "b", "x"}, 1, 1}});
  Schedule s = by("xla-greedy", p, 35);
  ASSERT_NE(s.status, Status::Unknown);
  EXPECT_EQ(s.cost, 17 + 2);
  EXPECT_EQ(timesRun(s, 2), 2u);
  Schedule t = by("xla-greedy", p, 25);
  ASSERT_NE(t.status, Status::Unknown);
  EXPECT_EQ(t.cost, 17 + 2 + 9);
}
