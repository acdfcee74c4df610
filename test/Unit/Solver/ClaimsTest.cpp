//===- ClaimsTest.cpp - what solvers say against all schedules ------------===//
//
// Every solver of the table, with every means, on small random problems that
// are also played to the end. Whatever a solver does not find, what it says has
// to be true: optimal, infeasible, bounds and smallest budgets are claims about
// all schedules that the means allow, not about those that it looked at.
//
//===----------------------------------------------------------------------===//

#include "PlayAll.h"
#include "RichGraph.h"
#include "TierProblem.h"

#include "Solver/Remat/RerunSets.h"
#include "Solver/Remat/TransferBound.h"
#include "pebble/Solver/Order/Bounds.h"
#include "pebble/Solver/Order/PeakOrder.h"
#include "pebble/Solver/Portfolio/LeastBudget.h"
#include "pebble/Solver/Portfolio/LeastCost.h"
#include "pebble/Solver/Portfolio/RematSolvers.h"
#include "pebble/Solver/Remat/RematBound.h"

#include <gtest/gtest.h>

#include <map>

using namespace pebble;
using namespace pebble::game;

namespace {

using Cost = std::optional<int64_t>;

/// One problem, and what is true of it.
struct Truth {
  test::TierProblem t;
  graph::RematMeans means;

  Cost costWithin(int64_t budget) {
    auto [found, isNew] = known.try_emplace(budget);
    if (isNew)
      found->second =
          test::PlayAll(t.problem, budget, means, &t.costs).leastCost();
    return found->second;
  }

private:
  std::map<int64_t, Cost> known;
};

void checkClaims(Truth &truth, const Schedule &s, Cost budget,
                 const std::string &what) {
  const Problem &p = truth.t.problem;
  const Cost right = truth.costWithin(budget.value_or(INT64_MAX / 2));
  if (s.status == Status::Infeasible) {
    EXPECT_FALSE(right) << what << ": " << *right << " is feasible";
  } else if (right) {
    EXPECT_LE(s.bound, *right) << what;
  }
  if (isAnswered(s.status)) {
    const Replay r = verify(p, s.moves, budget);
    EXPECT_TRUE(r.verdict.ok()) << what << ": " << r.verdict.message;
    ASSERT_TRUE(right) << what << ": nothing is feasible";
    EXPECT_GE(s.cost, *right) << what;
    EXPECT_EQ(graph::costOfMoves(p, s.moves, truth.t.costs), s.cost) << what;
    if (s.status == Status::Optimal) {
      EXPECT_EQ(s.cost, *right) << what;
    }
  }
  if (s.minBudget) {
    EXPECT_TRUE(truth.costWithin(*s.minBudget)) << what << ", min_budget";
    EXPECT_FALSE(truth.costWithin(*s.minBudget - 1)) << what << ", min_budget";
  }
}

/// Small, with arguments that stay and that do not, updates in place, steps
/// that run once, and one or two slower tiers. A quarter are rich graphs.
Truth makeTruth(uint64_t seed, const graph::RematMeans &means) {
  graph::Random random(seed * 977 + 3);
  const size_t steps = 3 + random.below(means.offload ? 2 : 4);
  const unsigned kind = random.below(4);
  Problem p = kind == 0   ? test::richGraph(seed, steps + 1)
              : kind == 1 ? test::randomGraph(seed, steps + 1)
                          : test::randomProblem(seed, steps);
  for (Step &s : p.steps)
    if (random.below(6) == 0)
      s.recomputable = false;
    else if (s.recomputable && random.below(10) == 0)
      s.pin = Pin::Keep;
  for (Value &v : p.values)
    v.offloadable = random.below(4) != 0;
  // What is there from the start and required in the end.
  const auto always = static_cast<Id>(p.storages.size());
  const auto bytes = static_cast<int64_t>(1 + random.below(20));
  p.storages.push_back({"always", bytes, bytes, true, random.below(2) == 0});
  Value w;
  w.name = "always";
  w.storage = always;
  w.required = !p.storages[always].pinned;
  p.values.push_back(w);
  Truth truth;
  truth.t = test::withSlowTiers(
      std::move(p), {random.below(2) ? kUnbounded : int64_t(9)}, seed);
  truth.means = means;
  return truth;
}

std::vector<graph::RematMeans> allMeans() {
  std::vector<graph::RematMeans> all;
  for (int bits = 0; bits < 8; ++bits) {
    graph::RematMeans means;
    means.recompute = bits & 1;
    means.offload = bits & 2;
    means.fixedOrder = bits & 4;
    all.push_back(means);
  }
  return all;
}

std::string nameOf(const graph::RematMeans &means) {
  return std::string(means.recompute ? " recompute" : "") +
         (means.offload ? " offload" : "") +
         (means.fixedOrder ? " fixed" : " free");
}

TEST(Claims, OfEverySolverWithAllMeansHoldForAllSchedules) {
  std::vector<std::string> names = {""};
  for (const graph::RematSolver &solver : graph::rematSolvers())
    names.push_back(solver.name);
  std::map<std::string, unsigned> asked;
  unsigned infeasible = 0, optimal = 0;
  for (const graph::RematMeans &means : allMeans())
    for (uint64_t seed = 0; seed < 12; ++seed) {
      Truth truth = makeTruth(seed, means);
      const Problem &p = truth.t.problem;
      ASSERT_TRUE(check(p).ok()) << seed << check(p).message;
      const int64_t peak = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
      for (int64_t budget :
           {peak - 1 - static_cast<int64_t>(seed % 4), peak * 3 / 4}) {
        for (const std::string &name : names) {
          graph::LeastCostOptions o;
          o.means = means;
          o.budget = budget;
          o.solver = name;
          o.effort = seed % 2 ? 40 : 0; // those cut off as well
          if (means.offload)
            o.transfers = truth.t.costs;
          if (!graph::leastCostRefusal(p, o).empty())
            continue;
          ++asked[name];
          const Schedule s = graph::leastCost(p, o);
          infeasible += s.status == Status::Infeasible;
          optimal += s.status == Status::Optimal;
          checkClaims(truth, s, budget,
                      "'" + name + "', seed " + std::to_string(seed) +
                          ", budget " + std::to_string(budget) + nameOf(means));
        }
      }
    }
  EXPECT_GT(infeasible, 100u);
  EXPECT_GT(optimal, 100u);
  EXPECT_GT(asked.size(), 9u);
}

TEST(Claims, OfLeastPeaksHoldForAllSchedules) {
  unsigned proven = 0;
  for (const graph::RematMeans &means : allMeans())
    for (uint64_t seed = 100; seed < 150; ++seed) {
      Truth truth = makeTruth(seed, means);
      const Problem &p = truth.t.problem;
      graph::LeastCostOptions o;
      o.means = means;
      o.effort = seed % 2 ? 20 : 0;
      if (!graph::leastBudgetRefusal(p, means).empty())
        continue;
      const Schedule s = graph::leastBudget(p, o);
      ASSERT_TRUE(verify(p, s.moves, s.peak).verdict.ok());
      EXPECT_FALSE(truth.costWithin(s.bound - 1))
          << seed << nameOf(means) << ": bound " << s.bound;
      proven += s.status == Status::Optimal;
    }
  EXPECT_GT(proven, 50u);
}

TEST(Claims, OfLeastPeakOrdersHoldForAllOrders) {
  graph::RematMeans none;
  none.recompute = false;
  for (uint64_t seed = 200; seed < 300; ++seed) {
    Truth truth = makeTruth(seed, none);
    const Problem &p = truth.t.problem;
    const graph::PeakOrder order = graph::orderForPeak(p);
    EXPECT_EQ(order.status, Status::Optimal) << seed;
    EXPECT_TRUE(truth.costWithin(order.peak)) << seed;
    EXPECT_FALSE(truth.costWithin(order.bound - 1)) << seed;
    EXPECT_FALSE(truth.costWithin(graph::peakLowerBound(p) - 1)) << seed;
  }
}

TEST(Claims, OfBoundsHoldForAllSchedules) {
  unsigned binding = 0;
  for (uint64_t seed = 300; seed < 500; ++seed) {
    graph::RematMeans means;
    means.offload = seed % 4 == 0;
    Truth truth = makeTruth(seed, means);
    const Problem &p = truth.t.problem;
    const int64_t peak = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
    int64_t once = 0;
    for (const Step &s : p.steps)
      once += s.cost;
    for (int64_t budget : {peak - 1, peak * 4 / 5, peak / 2}) {
      const Cost right = truth.costWithin(budget);
      const int64_t least = right.value_or(INT64_MAX);
      auto holds = [&](int64_t bound, const char *which) {
        EXPECT_LE(bound, least) << which << ", seed " << seed << " " << budget;
        binding += bound > once;
      };
      holds(graph::transferBound(p, budget, truth.t.costs, true), "transfers");
      if (means.offload)
        continue;
      holds(graph::rematBound(p, budget), "knapsack");
      holds(graph::rematCutBound(p, budget), "cuts");
      holds(graph::rematClosureBound(p, budget), "closures");
      if (graph::rerunSetsRefusal(p).empty()) {
        graph::RerunSetsOptions o;
        o.budget = budget;
        o.effort = 1000;
        o.questions = 200;
        holds(graph::rerunSets(p, o).bound, "rerun sets");
      }
      if (right) {
        EXPECT_LE(graph::rematFloor(p), budget) << seed;
      }
    }
  }
  EXPECT_GT(binding, 100u);
}

// What is always live takes its room, in whatever form it is written down.
TEST(Claims, WhatIsAlwaysLiveShiftsBoundsByItsBytes) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const Problem plain = test::randomGraph(seed, 14);
    const int64_t peak =
        verify(plain, scheduleOfOrder(plain, givenOrder(plain))).peak[0];
    for (bool pinned : {false, true}) {
      Problem more = plain;
      more.storages.push_back({"w", 50, 50, true, pinned});
      Value w;
      w.name = "w";
      w.storage = more.storages.size() - 1;
      w.required = !pinned;
      more.values.push_back(w);
      EXPECT_EQ(graph::rematFloor(more), graph::rematFloor(plain) + 50);
      EXPECT_EQ(graph::peakLowerBound(more), graph::peakLowerBound(plain) + 50);
      graph::LiveStorages live(more), liveOfPlain(plain);
      EXPECT_EQ(graph::workingSetBound(
                    graph::FootprintGame(graph::StepGraph(more), live))
                    .bytes,
                graph::workingSetBound(
                    graph::FootprintGame(graph::StepGraph(plain), liveOfPlain))
                        .bytes +
                    50);
      for (int64_t budget = peak / 2; budget <= peak; ++budget) {
        EXPECT_EQ(graph::rematBound(more, budget + 50),
                  graph::rematBound(plain, budget));
        EXPECT_EQ(graph::rematClosureBound(more, budget + 50),
                  graph::rematClosureBound(plain, budget));
        EXPECT_EQ(graph::rematCutBound(more, budget + 50),
                  graph::rematCutBound(plain, budget));
        graph::LeastCostOptions o, shifted;
        o.budget = budget;
        shifted.budget = budget + 50;
        const Schedule a = graph::leastCost(plain, o),
                       b = graph::leastCost(more, shifted);
        EXPECT_EQ(a.status, b.status) << seed << " " << budget;
        EXPECT_EQ(a.cost, b.cost) << seed << " " << budget;
        if (a.minBudget && b.minBudget) {
          EXPECT_EQ(*a.minBudget + 50, *b.minBudget) << seed << " " << budget;
        }
      }
    }
  }
}

} // namespace
