//===- PeakCutsTest.cpp - runs fitted into a budget, and the judge --------===//

#include "Solver/Remat/PeakCuts.h"
#include "Solver/Graph/Random.h"
#include "Solver/Remat/RematSearch.h"
#include "Solver/Remat/RunSequence.h"
#include "pebble/Solver/Portfolio/LeastCost.h"
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

int64_t costOnce(const Problem &p) {
  int64_t cost = 0;
  for (const Step &s : p.steps)
    cost += s.cost;
  return cost;
}

Schedule mend(const Problem &p, int64_t budget, uint64_t attempts,
              bool fixedOrder = false) {
  PeakCutsOptions o;
  o.budget = budget;
  o.effort = attempts;
  o.fixedOrder = fixedOrder;
  return peakCuts(p, {givenOrder(p)}, o);
}

/// Forwards and backwards through `layers` equal layers. Each has a small
/// output, which the next layer reads, and a large result of 10 bytes, which
/// costs 3 to make again and which the backward step reads.
Problem layersTrain(size_t layers) {
  Problem p;
  p.hierarchy.tiers.resize(1);
  auto add = [&](const std::string &name, int64_t cost, int64_t bytes,
                 std::vector<Id> reads) {
    const Id id = p.steps.size();
    p.storages.push_back({name, bytes, bytes});
    Value value;
    value.name = name;
    value.storage = value.producer = id;
    p.values.push_back(value);
    Step step;
    step.name = name;
    step.cost = cost;
    step.writes = {{id, bytes}};
    for (Id v : reads)
      step.reads.push_back({v, p.storages[v].bytes});
    p.steps.push_back(step);
    return id;
  };
  std::vector<Id> outputs = {add("x", 1, 1, {})}, large;
  for (size_t i = 0; i < layers; ++i) {
    large.push_back(add("big" + std::to_string(i), 3, 10, {outputs.back()}));
    outputs.push_back(add("out" + std::to_string(i), 5, 1, {large.back()}));
  }
  Id gradient = add("loss", 1, 1, {outputs.back()});
  for (size_t i = layers; i-- > 0;)
    gradient =
        add("grad" + std::to_string(i), 4, 1, {gradient, large[i], outputs[i]});
  p.values[gradient].required = true;
  return p;
}

} // namespace

TEST(PeakCuts, NeverCheaperThanTheOptimum) {
  size_t found = 0, best = 0, missed = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Problem p = randomProblem(seed, 4 + seed % 8);
    const int64_t peak = givenPeak(p);
    for (bool fixedOrder : {false, true})
      for (int64_t budget : {peak, peak * 9 / 10, peak * 8 / 10}) {
        RematSearchOptions exact;
        exact.budget = budget;
        exact.means.fixedOrder = fixedOrder;
        const Schedule right = rematSearch(p, exact);
        const Schedule s = mend(p, budget, 8, fixedOrder);
        if (s.status == Status::Unknown) {
          missed += right.status != Status::Infeasible;
          continue;
        }
        ++found;
        ASSERT_EQ(right.status, Status::Optimal);
        ASSERT_GE(s.cost, right.cost);
        best += s.cost == right.cost;
        const Replay r = verify(p, s.moves, budget);
        ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
        ASSERT_EQ(r.cost, s.cost);
        ASSERT_EQ(r.peak[0], s.peak);
      }
  }
  EXPECT_GT(found, 500u);
  EXPECT_GT(best * 10, found * 9);
  EXPECT_LT(missed * 2, found);
}

TEST(PeakCuts, LosesOnlyAsManyOfEqualLayersAsItTakes) {
  const size_t layers = 60;
  const Problem p = layersTrain(layers);
  const int64_t peak = givenPeak(p), once = costOnce(p);
  for (size_t lost = 0; lost <= 30; ++lost) {
    const int64_t budget = peak - 10 * static_cast<int64_t>(lost);
    const Schedule s = mend(p, budget, 1);
    ASSERT_EQ(s.status, Status::Feasible) << lost;
    // Each of them runs once more, and nothing else does.
    EXPECT_EQ(s.cost, once + 3 * static_cast<int64_t>(lost));
  }
}

TEST(PeakCuts, ReadsNoContentThatIsOverwritten) {
  // `w` is updated between the first reader of `a`, which is made from `w`, and
  // the last one: `a` cannot be lost then.
  Problem p = smallProblem({{"w", {}, 1, 4},
                            {"a", {"w"}, 1, 8},
                            {"b", {"a"}, 1, 8},
                            {"c", {"b"}, 1, 1},
                            {"d", {"a", "c"}, 1, 1}});
  Value updated;
  updated.name = "w2";
  updated.storage = 0;
  updated.producer = 3;
  updated.overwrites = 0;
  updated.required = true;
  p.values.push_back(updated);
  p.steps[3].writes.push_back({static_cast<Id>(p.values.size() - 1), 4});
  p.steps[3].recomputable = false;
  ASSERT_TRUE(check(p).ok());
  const int64_t peak = givenPeak(p);
  EXPECT_EQ(mend(p, peak - 1, 20).status, Status::Unknown);
  EXPECT_EQ(mend(p, peak, 1).status, Status::Feasible);
}

TEST(PeakCuts, GivesTheSameAnswerForTheSameSeed) {
  const Problem p = unetTrain();
  for (int64_t budget : {55, 45, 38}) {
    const Schedule a = mend(p, budget, 30), b = mend(p, budget, 30);
    EXPECT_EQ(a.cost, b.cost);
    EXPECT_EQ(a.moves.size(), b.moves.size());
  }
}

TEST(PeakCuts, FirstAttemptDoesNotLookAtTheClock) {
  const Problem p = layersTrain(40);
  StopSign stop;
  stop.raise();
  PeakCutsOptions o;
  o.budget = givenPeak(p) / 2;
  o.stop = &stop;
  EXPECT_EQ(peakCuts(p, {givenOrder(p)}, o).status, Status::Unknown);
  o.answersAtOnce = true;
  const Schedule s = peakCuts(p, {givenOrder(p)}, o);
  EXPECT_EQ(s.status, Status::Feasible);
  EXPECT_TRUE(s.limited);
}

TEST(LeastCost, AnswersWithinNoTimeAtAll) {
  const Problem p = layersTrain(60);
  for (int64_t percent : {90, 70, 50, 30}) {
    LeastCostOptions o;
    o.budget = givenPeak(p) * percent / 100;
    o.limits = Limits(1);
    const Schedule s = leastCost(p, o);
    EXPECT_TRUE(s.status == Status::Feasible || s.status == Status::Optimal)
        << percent;
  }
}

TEST(LeastCost, LeavesAttemptsOut) {
  const Problem p = layersTrain(60);
  LeastCostOptions o;
  o.budget = givenPeak(p) / 2;
  EXPECT_EQ(leastCost(p, o).status, Status::Optimal);
  o.without = leastCostAttempts();
  ASSERT_FALSE(o.without.empty());
  EXPECT_EQ(leastCost(p, o).status, Status::Unknown);
  // Any one of those that find schedules is enough.
  for (const char *name : {"first-cut", "peak-cuts", "local-search"}) {
    LeastCostOptions one = o;
    const auto place =
        std::find(one.without.begin(), one.without.end(), std::string(name));
    ASSERT_NE(place, one.without.end()) << name;
    one.without.erase(place);
    EXPECT_EQ(leastCost(p, one).status, Status::Feasible) << name;
  }
}

TEST(RunSequence, CountsBytesOfLongListsInBlocks) {
  // Long lifetimes cross many blocks of slots: some that stay within the
  // budget, some that stay above it, and some that do neither.
  const Problem p = layersTrain(80);
  graph::Random random(7);
  size_t changes = 0;
  for (int64_t budget : {givenPeak(p), givenPeak(p) / 2, givenPeak(p) / 4}) {
    RunSequence s(p, budget, /*fixedOrder=*/false);
    s.load(givenOrder(p));
    for (int change = 0; change < 3000; ++change) {
      const Id step = s.repeatable()[random.below(s.repeatable().size())];
      const RunSequence::Slot at = random.below(s.slots());
      if (s.at(at) == RunSequence::kEmpty)
        s.add(step, at);
      else if (s.isSpare(s.at(at)))
        s.takeOut(at);
      else
        continue;
      if (s.settle() && random.below(8) != 0) {
        s.keep();
        ++changes;
      } else {
        s.undo();
      }
      if (change % 50 != 0)
        continue;
      // Counted anew.
      RunSequence fresh(p, budget, /*fixedOrder=*/false);
      fresh.load(s.runs());
      ASSERT_EQ(s.excess(), fresh.excess());
      ASSERT_EQ(s.cost(), fresh.cost());
      const RunSequence::Slot from = random.below(s.slots());
      const RunSequence::Slot over = s.findOver(from);
      ASSERT_EQ(over < s.slots(), s.excess() > 0);
      if (over < s.slots()) {
        ASSERT_TRUE(s.isOver(over));
        for (RunSequence::Slot k = from; k < over; ++k)
          ASSERT_FALSE(s.isOver(k));
      }
    }
  }
  EXPECT_GT(changes, 500u);
}
