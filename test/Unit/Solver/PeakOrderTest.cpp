//===- PeakOrderTest.cpp - least peak against counting everything ---------===//

#include "pebble/Solver/Order/PeakOrder.h"
#include "Solver/Graph/Random.h"
#include "Solver/Order/ForcedOrders.h"
#include "Solver/Order/ValleySearch.h"
#include "pebble/Solver/Order/Bounds.h"
#include "pebble/Solver/Order/ListSchedule.h"
#include "pebble/Solver/Order/OrderCount.h"

#include "RandomProblem.h"
#include "SparseParity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

using namespace pebble;
using namespace pebble::game;
using namespace pebble::graph;

namespace {

/// Visits every legal order.
void forEachOrder(const Problem &p,
                  const std::function<void(const std::vector<Id> &)> &visit) {
  StepGraph g(p);
  std::vector<Id> order;
  std::vector<bool> done(g.size(), false);
  std::function<void()> extend = [&] {
    if (order.size() == g.size())
      return visit(order);
    for (Id s = 0; s < g.size(); ++s) {
      bool ready = !done[s];
      for (Id b : g.predecessors(s))
        ready &= done[b];
      if (!ready)
        continue;
      done[s] = true;
      order.push_back(s);
      extend();
      order.pop_back();
      done[s] = false;
    }
  };
  extend();
}

/// The least peak over all orders, by the judge alone.
int64_t leastPeak(const Problem &p, uint64_t *orders = nullptr) {
  int64_t best = INT64_MAX;
  uint64_t n = 0;
  forEachOrder(p, [&](const std::vector<Id> &order) {
    Replay r = verify(p, scheduleOfOrder(p, order));
    EXPECT_TRUE(r.verdict.ok()) << r.verdict.message;
    best = std::min(best, r.peak[0]);
    ++n;
  });
  if (orders)
    *orders = n;
  return best;
}

TEST(RandomProblem, IsWellFormedAndHasUpdatesInPlace) {
  bool inPlace = false, initial = false, twoResults = false, scratch = false;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Problem p = test::randomProblem(seed, 8);
    Verdict v = check(p);
    ASSERT_TRUE(v.ok()) << seed << " " << v.rule << ": " << v.message;
    for (const Value &value : p.values) {
      inPlace |= value.overwrites != kNone;
      initial |= value.producer == kNone;
    }
    for (const Step &s : p.steps) {
      twoResults |= s.writes.size() > 1;
      scratch |= s.scratch > 0;
    }
  }
  EXPECT_TRUE(inPlace && initial && twoResults && scratch);
}

TEST(PeakOrder, EqualsTheLeastOfAllOrders) {
  size_t improved = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Problem p = test::randomProblem(seed, 3 + seed % 6);
    int64_t least = leastPeak(p);
    ASSERT_LE(peakLowerBound(p), least) << seed;
    PeakOrder best = orderForPeak(p);
    ASSERT_EQ(best.status, Status::Optimal) << seed;
    ASSERT_EQ(best.peak, least) << seed;
    ASSERT_EQ(best.bound, least) << seed;
    Replay r = verify(p, scheduleOfOrder(p, best.order), least);
    ASSERT_TRUE(r.verdict.ok()) << seed << " " << r.verdict.message;
    improved += best.peak < best.inputPeak;
  }
  EXPECT_GT(improved, 50u);
}

TEST(ValleySearch, DecidesEveryBudgetFromBothEnds) {
  // Budgets one under and at the optimum, and the next budget worth asking for.
  for (uint64_t seed = 1000; seed < 1300; ++seed) {
    Problem p = test::randomProblem(seed, 7);
    LiveStorages storages(p);
    StepGraph graph(p);
    FootprintGame game(graph, storages);
    FootprintGame mirror = game.reversed();
    int64_t least = 0;
    least = INT64_MAX;
    forEachOrder(p, [&](const std::vector<Id> &order) {
      auto profile = game.profile(order);
      least =
          std::min(least, *std::max_element(profile.begin(), profile.end()));
    });
    for (bool back : {false, true}) {
      const FootprintGame &side = back ? mirror : game;
      ValleySearch search(side);
      auto found = search.run(least, UINT64_MAX);
      ASSERT_EQ(found.end, SearchEnd::Found) << seed << back;
      auto order = found.order;
      if (back)
        std::reverse(order.begin(), order.end());
      ASSERT_TRUE(graph.isLegal(order));
      auto profile = game.profile(order);
      ASSERT_EQ(*std::max_element(profile.begin(), profile.end()), least);
      auto none = search.run(least - 1, UINT64_MAX);
      ASSERT_EQ(none.end, SearchEnd::None) << seed << back;
      ASSERT_GT(none.nextBudget, least - 1);
      // Raising the budget from nothing ends at the optimum, never beyond.
      int64_t budget = 0;
      while (true) {
        auto r = search.run(budget, UINT64_MAX);
        if (r.end == SearchEnd::Found)
          break;
        ASSERT_GT(r.nextBudget, budget);
        budget = r.nextBudget;
      }
      ASSERT_EQ(budget, least) << seed << back;
    }
  }
}

TEST(ValleySearch, AWindowIsAsGoodAsItsOrders) {
  for (uint64_t seed = 2000; seed < 2100; ++seed) {
    Problem p = test::randomProblem(seed, 12);
    LiveStorages storages(p);
    FootprintGame game(StepGraph(p), storages);
    auto order = givenOrder(p);
    auto profile = game.profile(order);
    std::vector<bool> prefix(p.steps.size(), false);
    prefix[0] = prefix[1] = prefix[2] = true;
    std::vector<Id> steps(order.begin() + 3, order.begin() + 9);
    FootprintGame part = game.window(prefix, steps);
    // The window's own profile is the part of the whole one.
    auto inner = part.profile({0, 1, 2, 3, 4, 5});
    ASSERT_EQ(inner,
              std::vector<int64_t>(profile.begin() + 3, profile.begin() + 9))
        << seed;
    FootprintGame mirror = part.reversed();
    auto back = mirror.profile({5, 4, 3, 2, 1, 0});
    std::reverse(back.begin(), back.end());
    ASSERT_EQ(back, inner) << seed;
    int64_t budget = *std::max_element(inner.begin(), inner.end());
    ASSERT_EQ(ValleySearch(part).run(budget, UINT64_MAX).end, SearchEnd::Found);
    ASSERT_EQ(ValleySearch(mirror).run(budget, UINT64_MAX).end,
              SearchEnd::Found);
  }
}

TEST(ForcedOrders, DecidesAsAllOrdersDo) {
  size_t refutedByForce = 0;
  for (uint64_t seed = 4000; seed < 4300; ++seed) {
    Problem p = test::randomProblem(seed, 8);
    LiveStorages storages(p);
    StepGraph graph(p);
    FootprintGame game(graph, storages);
    int64_t least = INT64_MAX;
    forEachOrder(p, [&](const std::vector<Id> &order) {
      auto profile = game.profile(order);
      least =
          std::min(least, *std::max_element(profile.begin(), profile.end()));
    });
    ForcedOrdersOptions options;
    options.threads = seed % 2;
    ForcedOrdersResult r = decideBudget(game, least, options);
    ASSERT_EQ(r.end, SearchEnd::Found) << seed;
    ASSERT_TRUE(graph.isLegal(r.order)) << seed;
    auto profile = game.profile(r.order);
    ASSERT_EQ(*std::max_element(profile.begin(), profile.end()), least);
    ASSERT_EQ(decideBudget(game, least - 1, options).end, SearchEnd::None)
        << seed;
    // Without the search only cuts and cases are left to decide.
    options.nodes = 0;
    ASSERT_NE(decideBudget(game, least, options).end, SearchEnd::None) << seed;
    refutedByForce +=
        decideBudget(game, least - 1, options).end == SearchEnd::None;
  }
  // They decide nearly all of these.
  EXPECT_GT(refutedByForce, 240u);
}

TEST(Bounds, EveryStepsBoundHoldsInEveryOrderAndIsTight) {
  for (uint64_t seed = 3000; seed < 3100; ++seed) {
    Problem p = test::randomProblem(seed, 7);
    LiveStorages storages(p);
    FootprintGame game(StepGraph(p), storages);
    std::vector<int64_t> least(p.steps.size(), INT64_MAX);
    forEachOrder(p, [&](const std::vector<Id> &order) {
      auto profile = storages.profile(order);
      ASSERT_EQ(profile, game.profile(order));
      for (size_t i = 0; i < order.size(); ++i)
        least[order[i]] = std::min(least[order[i]], profile[i]);
    });
    // Every set of steps that can have run is the prefix of some order, so the
    // cut is not only a bound but the minimum.
    EXPECT_EQ(minCutBounds(game), least) << seed;
    EXPECT_EQ(minCutBounds(game.reversed()), least) << seed;
    EXPECT_EQ(minCutBound(game, {givenOrder(p)}).bytes,
              std::max(*std::max_element(least.begin(), least.end()),
                       workingSetBound(game).bytes))
        << seed;
  }
}

TEST(PeakOrder, NeverWorseThanGivenUnderAnyLimit) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Problem p = test::randomProblem(seed, 120);
    for (uint64_t effort : {1, 500, 20000}) {
      PeakOrderOptions options;
      options.effort = effort;
      options.seed = seed;
      PeakOrder best = orderForPeak(p, options);
      EXPECT_LE(best.peak, best.inputPeak);
      EXPECT_LE(best.bound, best.peak);
      Replay r = verify(p, scheduleOfOrder(p, best.order), best.peak);
      EXPECT_TRUE(r.verdict.ok()) << r.verdict.message;
      EXPECT_FALSE(best.limited);
    }
  }
}

TEST(PeakOrder, SameSeedAndEffortGiveTheSameOrder) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Problem p = test::randomProblem(seed, 150);
    PeakOrderOptions options;
    options.effort = 30000;
    options.seed = 7;
    PeakOrder one = orderForPeak(p, options), two = orderForPeak(p, options);
    options.threads = 1;
    PeakOrder three = orderForPeak(p, options);
    EXPECT_EQ(one.order, two.order);
    EXPECT_EQ(one.order, three.order);
    EXPECT_EQ(one.bound, three.bound);
  }
}

TEST(PeakOrder, SweepsAreLegalAndNeverWorse) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Problem p = test::randomProblem(seed, 60);
    StepGraph g(p);
    FootprintGame game(g, LiveStorages(p));
    EXPECT_TRUE(g.isLegal(leastLiveOrder(game)));
    EXPECT_TRUE(g.isLegal(depthFirstOrder(game)));
    std::vector<Id> back = leastLiveOrder(game.reversed());
    std::reverse(back.begin(), back.end());
    EXPECT_TRUE(g.isLegal(back));
    PeakOrderOptions options;
    options.fast = true;
    PeakOrder best = orderForPeak(p, options);
    EXPECT_LE(best.peak, best.inputPeak);
    EXPECT_LE(best.peak, LiveStorages(p).peak(leastLiveOrder(game)));
  }
}

TEST(PeakOrder, LeastLiveIsThePlainRule) {
  // Against a slow reading of the rule: of the ready steps the one that leaves
  // the fewest bytes, ties by number.
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem p = test::randomProblem(seed, 25);
    StepGraph g(p);
    LiveStorages storages(p);
    FootprintGame game(g, storages);
    std::vector<Id> order;
    std::vector<bool> done(g.size(), false);
    while (order.size() < g.size()) {
      int64_t least = INT64_MAX;
      Id next = kNone;
      for (Id s = 0; s < g.size(); ++s) {
        bool ready = !done[s];
        for (Id b : g.predecessors(s))
          ready &= done[b];
        if (!ready)
          continue;
        // Live after s: what an order that stops here would hold.
        int64_t live = 0;
        done[s] = true;
        for (const auto &c : game.cells) {
          bool open = c.openAtStart, closed = !c.openAtEnd;
          for (Id o : c.openers)
            open |= done[o];
          for (Id u : c.closers)
            closed &= done[u];
          live += open && !closed ? c.bytes : 0;
        }
        done[s] = false;
        if (live < least) {
          least = live;
          next = s;
        }
      }
      done[next] = true;
      order.push_back(next);
    }
    EXPECT_EQ(leastLiveOrder(game), order) << seed;
  }
}

TEST(PeakOrder, StopsWhenGoodEnough) {
  Problem p = test::randomProblem(5, 40);
  PeakOrder best = orderForPeak(p);
  ASSERT_LT(best.peak, best.inputPeak);
  PeakOrderOptions options;
  options.enough = best.inputPeak;
  PeakOrder enough = orderForPeak(p, options);
  EXPECT_EQ(enough.order, givenOrder(p));
  options.enough = best.peak;
  EXPECT_LE(orderForPeak(p, options).peak, best.peak);
}

TEST(PeakOrder, EmptyProblem) {
  PeakOrder best = orderForPeak(Problem());
  EXPECT_EQ(best.status, Status::Optimal);
  EXPECT_EQ(best.peak, 0);
}

TEST(PeakOrder, AHundredThousandStepsAreSwept) {
  Problem p = test::randomProblem(1, 100000);
  PeakOrder best = orderForPeak(p);
  EXPECT_LE(best.peak, best.inputPeak);
  EXPECT_TRUE(
      verify(p, scheduleOfOrder(p, best.order), best.peak).verdict.ok());
}

TEST(OrderCount, SparseParity) {
  Problem p = test::sparseParity();
  EXPECT_EQ(countOrders(p), 7290u);
  EXPECT_EQ(countOrders(p, 2000000, false), 7560u);
}

TEST(OrderCount, EqualsEnumeration) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Problem p = test::randomProblem(seed, 7);
    uint64_t orders = 0;
    leastPeak(p, &orders);
    EXPECT_EQ(countOrders(p), orders) << seed;
  }
}

TEST(OrderCount, LimitsAreSaid) {
  Problem p;
  for (Id i = 0; i < 30; ++i)
    p.steps.emplace_back();
  EXPECT_FALSE(countOrders(p, 1000));
  p.steps.resize(6);
  EXPECT_EQ(countOrders(p), 720u);
  EXPECT_EQ(countOrders(Problem()), 1u);
  // Three chains of 16: 48! / 16!^3 orders do not fit 64 bits.
  p.steps.resize(48);
  for (Id i = 0; i + 3 < 48; ++i)
    p.precedences.push_back({i, i + 3, DependenceKind::Effect, kNone});
  EXPECT_FALSE(countOrders(p));
}

} // namespace
