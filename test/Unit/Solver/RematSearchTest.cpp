//===- RematSearchTest.cpp - exact search against playing everything ------===//

#include "Solver/Remat/RematSearch.h"

#include "PlayAll.h"
#include "RandomProblem.h"
#include "RematFixtures.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;
using namespace pebble::test;

namespace {

int64_t costOf(const Problem &p, const Schedule &s, const RematMeans &means,
               std::optional<int64_t> budget) {
  Replay r = verify(p, s.moves, budget);
  EXPECT_TRUE(r.verdict.ok()) << r.verdict.message;
  EXPECT_EQ(r.peak[0], s.peak);
  int64_t cost = r.cost;
  for (size_t t = 1; t < r.stored.size(); ++t)
    cost += (r.stored[t] + r.loaded[t]) * means.offloadRate;
  return cost;
}

Schedule solve(const Problem &p, std::optional<int64_t> budget,
               const RematMeans &means = {}) {
  RematSearchOptions options;
  options.budget = budget;
  options.means = means;
  Schedule s = rematSearch(p, options);
  if (s.status == Status::Optimal) {
    EXPECT_EQ(costOf(p, s, means, budget), s.cost);
    EXPECT_EQ(s.bound, s.cost);
  }
  return s;
}

/// The least cost, or nothing where none fits; fails if not proven.
std::optional<int64_t> cost(const Schedule &s) {
  EXPECT_TRUE(s.status == Status::Optimal || s.status == Status::Infeasible);
  return s.status == Status::Optimal ? std::optional(s.cost) : std::nullopt;
}

/// The search must agree at every budget from one under the least on.
void agreesOn(const Problem &p, const RematMeans &means, size_t &binding) {
  int64_t most = verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
  // What must be made again for each reader may need more.
  while (most < 200 && !PlayAll(p, most, means).leastCost())
    most += 10;
  std::optional<int64_t> smallest;
  for (int64_t budget = most; budget >= 0; --budget) {
    std::optional<int64_t> right = PlayAll(p, budget, means).leastCost();
    Schedule s = solve(p, budget, means);
    ASSERT_EQ(cost(s), right) << "budget " << budget;
    if (!right) {
      EXPECT_EQ(s.minBudget, smallest);
      return;
    }
    smallest = budget;
    binding += *right > RematGame(p, means).costOfOneRun();
  }
}

} // namespace

TEST(RematSearch, UnetTrainAtEveryBudget) {
  const std::vector<int64_t> least = {
      80, 80, 75, 75, 75, 70, 69, 69, 69, 68, 66, 63, 63, 63, 62, 62,
      62, 61, 61, 61, 60, 60, 60, 59, 59, 59, 58, 58, 58, 58, 57};
  Problem p = unetTrain();
  for (size_t i = 0; i < least.size(); ++i)
    EXPECT_EQ(cost(solve(p, 36 + i)), least[i]) << "budget " << 36 + i;
  Schedule under = solve(p, 35);
  EXPECT_EQ(under.status, Status::Infeasible);
  EXPECT_EQ(under.minBudget, 36);
}

TEST(RematSearch, FirstRunsMayKeepTheGivenOrder) {
  RematMeans fixed;
  fixed.fixedOrder = true;
  EXPECT_EQ(cost(solve(unetTrain(), 36, fixed)), 92);
  EXPECT_EQ(cost(solve(unetTrain(), 45, fixed)), 72);
  EXPECT_EQ(cost(solve(unetTrain(), 66, fixed)), 58);
}

TEST(RematSearch, RandomGraphNeedsMoreThanOnePassPerStage) {
  EXPECT_EQ(cost(solve(random12(), 16)), 109);
  EXPECT_EQ(cost(solve(random12(), 17)), 109);
  EXPECT_EQ(cost(solve(random12(), 18)), 72);
  EXPECT_EQ(solve(random12(), 15).minBudget, 16);
}

TEST(RematSearch, ChainFollowsTheBinomialSchedule) {
  const std::vector<int64_t> least = {37, 23, 20, 19, 18, 17, 16};
  for (size_t i = 0; i < least.size(); ++i)
    EXPECT_EQ(cost(solve(chain8Train(), 3 + i)), least[i]) << "slots " << 3 + i;
  EXPECT_EQ(solve(chain8Train(), 2).minBudget, 3);
}

TEST(RematSearch, SmallestBudgetIsProvenWhenAsked) {
  RematSearchOptions options;
  options.budget = 40;
  options.minBudget = true;
  EXPECT_EQ(rematSearch(unetTrain(), options).minBudget, 36);
}

TEST(RematSearch, AgreesWithPlayingEverything) {
  size_t binding = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    agreesOn(randomProblem(seed, 3 + seed % 4), {}, binding);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(binding, 20u);
}

TEST(RematSearch, AgreesInFixedOrder) {
  RematMeans means;
  means.fixedOrder = true;
  size_t binding = 0;
  for (uint64_t seed = 500; seed < 580; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    agreesOn(randomProblem(seed, 3 + seed % 4), means, binding);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(binding, 5u);
}

TEST(RematSearch, AgreesWithOffload) {
  size_t binding = 0;
  for (uint64_t seed = 200; seed < 260; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 2 + seed % 3);
    p.hierarchy = unetTrain().hierarchy;
    RematMeans means;
    means.offload = true;
    means.offloadRate = seed % 3;
    means.recompute = seed % 4 != 0;
    agreesOn(p, means, binding);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(binding, 10u);
}

TEST(RematSearch, AgreesWithPins) {
  size_t binding = 0;
  for (uint64_t seed = 300; seed < 380; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem p = randomProblem(seed, 5);
    for (Id i = 0; i < p.steps.size(); ++i)
      if (p.steps[i].recomputable && (seed + i) % 3 == 0)
        p.steps[i].pin = (seed + i) % 2 ? Pin::Keep : Pin::Recompute;
    agreesOn(p, {}, binding);
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(binding, 10u);
}

TEST(RematSearch, KeptResultsAreMadeOnce) {
  // e1 is the dearest to keep at budget 45; pinned, others pay.
  Problem p = unetTrain();
  p.steps[0].pin = Pin::Keep;
  Schedule s = solve(p, 45);
  ASSERT_EQ(s.status, Status::Optimal);
  EXPECT_GE(s.cost, 68);
  int runs = 0;
  for (const Move &m : s.moves)
    runs += m.kind == MoveKind::Compute && m.subject == 0;
  EXPECT_EQ(runs, 1);
}

TEST(RematSearch, BoundsHoldWhenCutOff) {
  RematSearchOptions options;
  options.budget = 36;
  options.effort = 50;
  Schedule s = rematSearch(unetTrain(), options);
  EXPECT_EQ(s.status, Status::Unknown);
  EXPECT_GE(s.bound, 57);
  EXPECT_LE(s.bound, 80);
}

TEST(RematSearch, RefusesWhatItCannotHold) {
  Problem p = unetTrain();
  EXPECT_EQ(RematGame::refusal(p, {}), "");
  p.steps[3].pin = Pin::Offload;
  EXPECT_NE(RematGame::refusal(p, {}).find("p2"), std::string::npos);
  std::vector<SmallOp> many(65, SmallOp{"op", {}, 1, 1});
  EXPECT_EQ(RematGame::refusal(smallProblem(many), {}),
            "has more than 64 steps");
}
