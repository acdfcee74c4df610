//===- MilpSolversTest.cpp - least cost through MILPs ---------------------===//
//
// Right values: least costs of small graphs at a budget, and least costs among
// schedules of one pass a stage, both known from exhaustive programs.
//
//===----------------------------------------------------------------------===//

#include "RandomProblem.h"
#include "RematFixtures.h"
#include "TierProblem.h"

#include "Solver/Milp/MilpSolvers.h"
#include "Solver/Milp/StageModel.h"
#include "Solver/Remat/RematSearch.h"
#include "pebble/Solver/Milp/Highs.h"
#include "pebble/Solver/Portfolio/RematSolvers.h"
#include "pebble/Solver/Remat/RematGreedy.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::milp;
using pebble::graph::LeastCostOptions;
using pebble::test::randomProblem;

namespace {

class Milp : public testing::Test {
protected:
  void SetUp() override {
    if (!highsMissing().empty())
      GTEST_SKIP() << highsMissing();
  }
};

LeastCostOptions within(int64_t budget) {
  LeastCostOptions o;
  o.budget = budget;
  return o;
}

auto byName(const char *name) { return graph::findRematSolver(name)->solve; }

bool answered(const Schedule &s) { return isAnswered(s.status); }

/// A schedule that an answer carries stands up before the judge.
void expectSound(const Problem &p, const Schedule &s, int64_t budget) {
  if (!answered(s)) {
    EXPECT_TRUE(s.moves.empty());
    return;
  }
  Replay r = verify(p, s.moves, budget);
  EXPECT_TRUE(r.verdict.ok()) << r.verdict.message;
  EXPECT_EQ(r.cost, s.cost);
  EXPECT_EQ(r.peak[0], s.peak);
  EXPECT_LE(s.bound, s.cost);
  if (s.status == Status::Optimal) {
    EXPECT_EQ(s.bound, s.cost);
  }
}

/// What one pass a stage costs; nothing where it can express no schedule.
std::optional<int64_t> onePass(const Problem &p, int64_t budget) {
  Schedule s = checkmate(p, within(budget));
  expectSound(p, s, budget);
  if (s.modelStatus == Status::Infeasible) {
    EXPECT_EQ(s.status, Status::Unknown);
    return std::nullopt;
  }
  EXPECT_EQ(s.modelStatus, Status::Optimal);
  EXPECT_LE(s.cost - *s.modelBound, 0);
  return s.cost;
}

TEST_F(Milp, checkmate_is_what_one_pass_a_stage_costs) {
  Problem chain = test::chain8Train();
  EXPECT_EQ(onePass(chain, 9), 16);
  EXPECT_EQ(onePass(chain, 5), 20);
  EXPECT_EQ(onePass(chain, 4), 23);
  Problem unet = test::unetTrain();
  EXPECT_EQ(onePass(unet, 66), 58);
  EXPECT_EQ(onePass(unet, 56), 61);
  Problem merge = test::smallProblem({{"a", {}, 3, 4},
                                      {"b", {"a"}, 1, 3},
                                      {"c", {"b"}, 2, 1},
                                      {"d", {"c", "b"}, 1, 1},
                                      {"e", {"d", "a"}, 1, 1}});
  EXPECT_EQ(onePass(merge, 9), 8);
  EXPECT_EQ(onePass(merge, 8), 8 + 3);
}

TEST_F(Milp, checkmate_cannot_express_what_runs_twice_before_a_step) {
  EXPECT_EQ(onePass(test::random12(), 16), std::nullopt);
}

TEST_F(Milp, retention_intervals_express_more) {
  LeastCostOptions o = within(16);
  o.effort = 20;
  Schedule s = byName("retention-intervals")(test::random12(), o);
  ASSERT_TRUE(answered(s));
  expectSound(test::random12(), s, 16);
  EXPECT_LE(s.cost, 160); // the least cost in the given order
  EXPECT_GE(s.cost, 109); // the least cost
}

TEST(StageModel, the_given_order_is_a_solution_of_its_own_model) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem p = randomProblem(seed, 4 + seed % 9);
    StageModelOptions o;
    o.order = givenOrder(p);
    o.passes = 1 + seed % 3;
    o.endStage = seed % 2;
    o.budget = verify(p, scheduleOfOrder(p, o.order)).peak[0];
    StageModel stages(p, o);
    ASSERT_TRUE(stages.complete());
    auto x = stages.valuesOf(o.order);
    ASSERT_TRUE(x) << seed;
    EXPECT_EQ(stages.model().violation(*x), 0);
    EXPECT_EQ(stages.runsOf(*x), o.order);
    int64_t once = 0;
    for (const Step &s : p.steps)
      once += s.cost;
    EXPECT_EQ(static_cast<int64_t>(stages.model().objective(*x)) *
                  stages.costUnit(),
              once);
    // A unit less of memory, and the same schedule breaks a row.
    --o.budget;
    StageModel tight(p, o);
    EXPECT_FALSE(tight.complete() && tight.valuesOf(o.order)) << seed;
  }
}

TEST(StageModel, schedules_of_others_are_solutions) {
  // Runs that walks find, with repeats, fit the model with the passes that
  // they need, at the same cost.
  size_t repeated = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Problem p = randomProblem(seed, 12);
    std::vector<Id> order = givenOrder(p);
    graph::RematGreedyOptions g;
    g.budget = verify(p, scheduleOfOrder(p, order)).peak[0] - 1 - seed % 4;
    g.effort = 20;
    Schedule s = graph::rematGreedy(p, {order}, g);
    if (!answered(s))
      continue;
    std::vector<Id> runs;
    std::vector<bool> ran(p.steps.size(), false);
    order.clear();
    for (const Move &m : s.moves)
      if (m.kind == MoveKind::Compute) {
        runs.push_back(m.subject);
        if (!ran[m.subject])
          order.push_back(m.subject);
        ran[m.subject] = true;
      }
    repeated += runs.size() > p.steps.size();
    StageModelOptions o;
    o.order = order;
    o.budget = g.budget;
    o.endStage = true;
    o.passes = StageModel::passesFor(p, order, runs);
    ASSERT_GT(o.passes, 0u);
    StageModel stages(p, o);
    auto x = stages.valuesOf(runs);
    // Contents of a storage that is written again are not made again there.
    bool inPlace =
        std::any_of(p.values.begin(), p.values.end(),
                    [](const Value &v) { return v.overwrites != kNone; });
    if (inPlace && !x)
      continue;
    ASSERT_TRUE(x) << seed;
    EXPECT_EQ(static_cast<int64_t>(stages.model().objective(*x)) *
                  stages.costUnit(),
              s.cost);
    EXPECT_EQ(stages.runsOf(*x), runs);
  }
  EXPECT_GT(repeated, 20u);
}

TEST_F(Milp, never_beat_exact_search_and_prove_only_what_is_true) {
  size_t recomputed = 0, proven = 0;
  for (uint64_t seed = 0; seed < 15; ++seed) {
    Problem p = randomProblem(seed, 7);
    int64_t given = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    for (int64_t budget : {given - 1, given - 3}) {
      graph::RematSearchOptions so;
      so.budget = std::max<int64_t>(budget, 0);
      Schedule exact = graph::rematSearch(p, so);
      for (auto solve : {byName("retention-intervals"), byName("checkmate"),
                         byName("lp-rounding")}) {
        Schedule s = solve(p, within(*so.budget));
        expectSound(p, s, *so.budget);
        EXPECT_FALSE(s.limited);
        if (s.status == Status::Infeasible) {
          EXPECT_EQ(exact.status, Status::Infeasible) << seed;
        }
        if (answered(s)) {
          EXPECT_NE(exact.status, Status::Infeasible) << seed;
          EXPECT_GE(s.cost, exact.cost) << seed;
          EXPECT_LE(s.bound, exact.cost) << seed;
        }
        if (s.status == Status::Optimal) {
          ++proven;
          EXPECT_EQ(s.cost, exact.cost) << seed;
        }
      }
      recomputed += exact.status == Status::Optimal && exact.moves.size() > 0 &&
                    budget < given;
    }
  }
  EXPECT_GT(recomputed, 10u);
  EXPECT_GT(proven, 10u);
}

TEST_F(Milp, same_input_same_output) {
  for (auto solve : {byName("retention-intervals"), byName("checkmate"),
                     byName("lp-rounding")}) {
    Schedule a = solve(test::chain8Train(), within(6));
    Schedule b = solve(test::chain8Train(), within(6));
    EXPECT_EQ(a.cost, b.cost);
    EXPECT_EQ(a.modelBound, b.modelBound);
    ASSERT_EQ(a.moves.size(), b.moves.size());
    for (size_t i = 0; i < a.moves.size(); ++i)
      EXPECT_TRUE(a.moves[i].kind == b.moves[i].kind &&
                  a.moves[i].subject == b.moves[i].subject);
  }
}

TEST_F(Milp, rounding_answers_with_a_bound_on_its_model) {
  Problem p = test::chain8Train();
  Schedule s = lpRounding(p, within(7));
  expectSound(p, s, 7);
  ASSERT_TRUE(answered(s));
  ASSERT_TRUE(s.modelBound);
  EXPECT_GE(*s.modelBound, 16);
  EXPECT_LE(*s.modelBound, *onePass(p, 7));
}

TEST_F(Milp, costs_of_any_size_are_solved_alike) {
  // As large as energies are, and with no common unit to divide by.
  constexpr int64_t large = 1000000000000;
  Problem p = test::chain8Train();
  for (Step &s : p.steps)
    s.cost *= large;
  p.steps[0].cost += 1;
  Schedule s = checkmate(p, within(5));
  expectSound(p, s, 5);
  EXPECT_EQ(s.modelStatus, Status::Optimal);
  EXPECT_EQ(s.cost / large, 20);
  // Every step once costs 16: the bound is as near to 20 as the part beyond
  // that lets it be.
  EXPECT_LE(s.cost - *s.modelBound, 4 * large / 1000000 + 1);
}

TEST_F(Milp, poet_says_whether_it_can_better_a_start) {
  size_t beaten = 0, met = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const test::TierProblem t = test::withSlowTiers(test::randomGraph(seed, 8),
                                                    {game::kUnbounded}, seed);
    const int64_t given =
        verify(t.problem, scheduleOfOrder(t.problem, givenOrder(t.problem)))
            .peak[0];
    LeastCostOptions o = within(given - 2);
    o.means.offload = true;
    o.transfers = t.costs;
    const Schedule best = graph::leastCost(t.problem, o);
    const Schedule alone = poet(t.problem, o);
    if (!answered(alone))
      continue;
    ASSERT_EQ(alone.modelStatus, Status::Optimal) << seed;
    ASSERT_EQ(best.status, Status::Optimal) << seed;
    EXPECT_GE(alone.cost, best.cost) << seed;
    // Its own optimum is what it cannot better.
    o.start = alone.moves;
    const Schedule again = poet(t.problem, o);
    EXPECT_EQ(again.cost, alone.cost) << seed;
    EXPECT_EQ(again.modelStatus, Status::Optimal) << seed;
    EXPECT_LE(*again.modelBound, alone.cost) << seed;
    // Where the best of all schedules is cheaper, nothing of the model is.
    o.start = best.moves;
    const Schedule from = poet(t.problem, o);
    EXPECT_EQ(from.cost, best.cost) << seed;
    EXPECT_EQ(from.modelStatus, Status::Optimal) << seed;
    if (alone.cost > best.cost) {
      EXPECT_EQ(*from.modelBound, best.cost) << seed;
    }
    // One with transfers alone may be dearer: then it finds its optimum.
    LeastCostOptions paging = o;
    paging.start.clear();
    paging.means.recompute = false;
    o.start = graph::leastCost(t.problem, paging).moves;
    if (!o.start.empty()) {
      EXPECT_EQ(
          poet(t.problem, o).cost,
          std::min(alone.cost, graph::costOfMoves(t.problem, o.start, t.costs)))
          << seed;
    }
    (alone.cost > best.cost ? beaten : met) += 1;
  }
  EXPECT_GT(beaten, 0u);
  EXPECT_GT(met, 0u);
}

TEST(MilpRefusal, names_what_it_does_not_take) {
  LeastCostOptions o = within(10);
  o.onModel = [](const Model &) {};
  Problem p = test::chain8Train();
  EXPECT_EQ(milpRefusal(p, o), "");
  o.means.offload = true;
  EXPECT_NE(milpRefusal(p, o).find("other means"), std::string::npos);
  o.means.offload = false;
  p.steps[3].pin = Pin::Recompute;
  EXPECT_NE(milpRefusal(p, o).find("'N4' to recompute"), std::string::npos);
}

TEST(MilpRefusal, keep_pins_and_single_runs_are_followed) {
  Problem p = test::chain8Train();
  p.steps[0].pin = Pin::Keep;
  p.steps[1].recomputable = false;
  StageModelOptions o;
  o.order = givenOrder(p);
  o.budget = 100;
  StageModel stages(p, o);
  size_t first = 0, second = 0, third = 0;
  for (size_t q = 0; q < stages.passCount(); ++q) {
    first += stages.mayRun(q, 0);
    second += stages.mayRun(q, 1);
    third += stages.mayRun(q, 2);
  }
  EXPECT_EQ(first, 1u);
  EXPECT_EQ(second, 1u);
  EXPECT_GT(third, 1u);
}

} // namespace
