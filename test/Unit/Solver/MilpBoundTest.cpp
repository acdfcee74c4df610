//===- MilpBoundTest.cpp - the bound of several moments -------------------===//

#include "RandomProblem.h"
#include "RematFixtures.h"

#include "Solver/Milp/MilpBound.h"
#include "Solver/Remat/RematSearch.h"
#include "pebble/Solver/Milp/Highs.h"
#include "pebble/Solver/Remat/RematBound.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::milp;

namespace {

class MilpBound : public testing::Test {
protected:
  void SetUp() override {
    if (!highsMissing().empty())
      GTEST_SKIP() << highsMissing();
  }
};

int64_t boundOf(const Problem &p, int64_t budget, bool whole,
                bool fixed = false) {
  MilpBoundOptions o;
  o.budget = budget;
  o.whole = whole;
  o.fixedOrder = fixed;
  return milpBound(p, o);
}

TEST_F(MilpBound, meets_least_costs_where_a_single_moment_does_not) {
  // Least costs of the chain: 37 at 3 units, 23 at 4.
  Problem chain = test::chain8Train();
  for (auto [budget, least] : {std::pair<int64_t, int64_t>{3, 37}, {4, 23}}) {
    EXPECT_EQ(boundOf(chain, budget, true), least);
    EXPECT_LT(graph::rematBound(chain, budget), least);
    EXPECT_LE(boundOf(chain, budget, false), least);
  }
  EXPECT_GT(boundOf(chain, 3, false), graph::rematBound(chain, 3));
  // In the given order a U-Net costs 92 at 36 units and 72 at 45; free, 80 and
  // 68.
  Problem unet = test::unetTrain();
  EXPECT_LE(boundOf(unet, 36, false), 80);
  EXPECT_LE(boundOf(unet, 45, false), 68);
  EXPECT_LE(boundOf(unet, 36, false, true), 92);
  EXPECT_GT(boundOf(unet, 45, false, true), 68);
  EXPECT_LE(boundOf(unet, 45, false, true), 72);
}

TEST_F(MilpBound, never_exceeds_the_least_cost) {
  size_t raised = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Problem p = test::randomProblem(seed, 5 + seed % 5);
    int64_t given = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    int64_t once = 0;
    for (const Step &s : p.steps)
      once += s.cost;
    for (int64_t less : {1, 3, 6})
      for (bool fixed : {false, true}) {
        graph::RematSearchOptions so;
        so.budget = std::max<int64_t>(given - less, 0);
        so.means.fixedOrder = fixed;
        Schedule exact = graph::rematSearch(p, so);
        if (exact.status != Status::Optimal)
          continue;
        for (bool whole : {false, true}) {
          int64_t bound = boundOf(p, *so.budget, whole, fixed);
          EXPECT_LE(bound, exact.cost) << seed << " " << less << " " << fixed;
          EXPECT_GE(bound, once);
          raised += bound > once;
        }
      }
  }
  EXPECT_GT(raised, 20u);
}

TEST_F(MilpBound, fewer_moments_bound_as_well) {
  Problem p = test::chain8Train();
  MilpBoundOptions o;
  o.budget = 4;
  for (size_t moments : {1, 2, 3, 5, 100}) {
    o.moments = moments;
    int64_t bound = milpBound(p, o);
    EXPECT_LE(bound, 23);
    EXPECT_GE(bound, 16);
  }
}

TEST(MilpBoundModel, a_schedule_that_keeps_all_is_a_solution) {
  // With room for everything nothing has to run again.
  Problem p = test::unetTrain();
  MilpBoundOptions o;
  o.budget = 1000;
  Model m = boundModel(p, o);
  EXPECT_EQ(m.constant(), 57);
  EXPECT_TRUE(m.rows().empty());
}

} // namespace
