//===- EnergyOrderTest.cpp - orders of least energy -----------------------===//

#include "EnergyFixtures.h"

#include "Solver/Energy/EnergyAnneal.h"
#include "Solver/Energy/EnergyExact.h"
#include "pebble/Solver/Energy/EnergyBound.h"
#include "pebble/Solver/Energy/EnergyOrder.h"
#include "pebble/Solver/Order/PeakOrder.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace pebble::graph;
using namespace pebble::test;

namespace {

constexpr CacheModel kModels[] = {CacheModel::Lru, CacheModel::Sutro};

std::vector<Id> given(const Problem &p) {
  std::vector<Id> order(p.steps.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// Least energy over all legal orders within a peak limit; INT64_MAX if none.
int64_t bruteForce(const Problem &p, CacheModel model,
                   int64_t peakLimit = kUnbounded) {
  int64_t least = INT64_MAX;
  LiveStorages live(p);
  forEachOrder(p.steps.size(), allPrecedences(p),
               [&](const std::vector<Id> &order) {
                 if (live.peak(order) <= peakLimit)
                   least = std::min(least, energyOfOrder(p, order, model));
               });
  return least;
}

/// Steps in layers that read from the layers before, like a network's.
Problem layered(unsigned seed, size_t steps) {
  std::mt19937 rng(seed);
  Problem p;
  p.hierarchy = sutro();
  p.hierarchy.tiers[0].capacity = 64;
  p.hierarchy.tiers[1].capacity = 1024;
  p.hierarchy.tiers[2].capacity = 4096;
  for (Id s = 0; s < steps; ++s) {
    Storage storage;
    storage.bytes = storage.footprint = 4 * (1 + rng() % 100);
    p.storages.push_back(storage);
    Value v;
    v.storage = v.producer = s;
    p.values.push_back(v);
    Step step;
    std::vector<Id> reads;
    for (int i = 0; i < 4 && s > 0; ++i) {
      Id r = s - 1 - rng() % std::min<Id>(s, 30);
      if (std::find(reads.begin(), reads.end(), r) == reads.end())
        reads.push_back(r);
    }
    for (Id r : reads)
      step.reads.push_back({r, p.storages[r].bytes});
    step.writes.push_back({s, storage.bytes});
    p.steps.push_back(step);
  }
  return p;
}

TEST(EnergyOrder, ParityOptimumIsProven) {
  Problem p = parityOnSutro();
  Schedule s = energyOrder(p, CacheModel::Sutro);
  EXPECT_EQ(s.status, Status::Optimal);
  EXPECT_EQ(s.cost, 10764315000);
  EXPECT_EQ(s.bound, s.cost);
  s = energyOrder(p, CacheModel::Lru);
  EXPECT_EQ(s.status, Status::Optimal);
  EXPECT_EQ(s.cost, 10602685000);
  EXPECT_EQ(s.bound, s.cost);
  EXPECT_TRUE(verify(p, s.moves, s.peak).verdict.ok());
  EXPECT_FALSE(s.limited);
}

TEST(EnergyOrder, ExactEqualsBruteForce) {
  for (CacheModel model : kModels)
    for (unsigned seed = 0; seed < 150; ++seed) {
      Problem p = randomProblem(seed, 7);
      EnergyOrderOptions options;
      options.iterationLimit = 500;
      Schedule s = energyOrder(p, model, options);
      ASSERT_EQ(s.status, Status::Optimal);
      ASSERT_EQ(s.cost, bruteForce(p, model)) << toString(model) << seed;
      EXPECT_EQ(s.bound, s.cost);
    }
}

TEST(EnergyOrder, ProofAloneFindsTheOptimum) {
  for (CacheModel model : kModels)
    for (unsigned seed = 200; seed < 260; ++seed) {
      Problem p = randomProblem(seed, 7);
      TouchTable table(p, model);
      EnergyExactResult r =
          exactEnergyOrder(p, table, boundEnergy(p, table, model), model, {});
      ASSERT_TRUE(r.complete);
      EXPECT_EQ(r.energy, bruteForce(p, model));
      EXPECT_EQ(r.energy, energyOfOrder(p, r.order, model));
    }
}

TEST(EnergyOrder, BoundHoldsForEveryOrder) {
  int tight = 0;
  for (CacheModel model : kModels)
    for (unsigned seed = 300; seed < 500; ++seed) {
      Problem p = randomProblem(seed, 7);
      TouchTable table(p, model);
      EnergyBound bound = boundEnergy(p, table, model);
      int64_t least = bruteForce(p, model);
      ASSERT_LE(bound.total, least) << toString(model) << seed;
      int64_t byTouch = 0;
      for (int64_t e : bound.fixedPerStep)
        byTouch += e;
      for (int64_t e : bound.perTouch)
        byTouch += e;
      EXPECT_LE(byTouch, bound.total);
      tight += bound.total == least;
    }
  // It is worth something: it settles a good part of them.
  EXPECT_GE(tight, 60);
}

TEST(EnergyOrder, PeakLimitIsKept) {
  int tighter = 0, infeasible = 0;
  for (CacheModel model : kModels)
    for (unsigned seed = 500; seed < 580; ++seed) {
      Problem p = randomProblem(seed, 7);
      LiveStorages live(p);
      EnergyOrderOptions options;
      options.iterationLimit = 500;
      options.peakLimit = live.peak(given(p)) * 9 / 10;
      Schedule s = energyOrder(p, model, options);
      int64_t least = bruteForce(p, model, *options.peakLimit);
      if (least == INT64_MAX) {
        EXPECT_EQ(s.status, Status::Infeasible);
        ++infeasible;
        continue;
      }
      ASSERT_EQ(s.status, Status::Optimal);
      EXPECT_EQ(s.cost, least);
      EXPECT_LE(s.peak, *options.peakLimit);
      EXPECT_TRUE(verify(p, s.moves, *options.peakLimit).verdict.ok());
      tighter += least > bruteForce(p, model);
    }
  EXPECT_GT(tighter, 0);
  EXPECT_GT(infeasible, 0);
}

TEST(EnergyOrder, PeakLimitIsKeptByAnnealing) {
  Problem p = layered(1, 150);
  const int64_t peak = LiveStorages(p).peak(given(p));
  PeakOrderOptions sweeps;
  sweeps.fast = true;
  const int64_t low = orderForPeak(p, sweeps).peak;
  ASSERT_LT(low, peak * 99 / 100);
  EnergyOrderOptions options;
  options.iterationLimit = 100000;
  const int64_t free = energyOrder(p, CacheModel::Lru, options).cost;
  for (int64_t limit : {peak, low}) {
    options.peakLimit = limit;
    Schedule s = energyOrder(p, CacheModel::Lru, options);
    ASSERT_EQ(s.status, Status::Feasible) << limit;
    EXPECT_TRUE(verify(p, s.moves, limit).verdict.ok());
    EXPECT_LE(s.cost, free * 3 / 2);
  }
  options.peakLimit = peak * 4 / 5;
  EXPECT_EQ(energyOrder(p, CacheModel::Lru, options).status,
            Status::Infeasible);
}

TEST(EnergyOrder, SearchIsNeverWorseThanTheGivenOrderAndGains) {
  for (CacheModel model : kModels) {
    Problem p = layered(7, 120);
    EnergyOrderOptions options;
    options.iterationLimit = 1;
    int64_t before = energyOfOrder(p, given(p), model);
    EXPECT_LE(energyOrder(p, model, options).cost, before);
    options.iterationLimit = 100000;
    Schedule s = energyOrder(p, model, options);
    EXPECT_LT(s.cost, before * 9 / 10);
    EXPECT_EQ(s.cost, energyOfOrder(p, orderOfSchedule(s), model));
    EXPECT_GE(s.cost, s.bound);
    EXPECT_TRUE(s.limited);
    EXPECT_TRUE(StepGraph(p).isLegal(orderOfSchedule(s)));
  }
}

TEST(EnergyOrder, SameSeedAndIterationsGiveTheSameOrder) {
  for (CacheModel model : kModels) {
    Problem p = layered(3, 100);
    EnergyOrderOptions options;
    options.iterationLimit = 20000;
    std::vector<Id> first = orderOfSchedule(energyOrder(p, model, options));
    options.threads = 1;
    EXPECT_EQ(orderOfSchedule(energyOrder(p, model, options)), first);
    options.seed = 2;
    EXPECT_NE(orderOfSchedule(energyOrder(p, model, options)), first);
  }
}

TEST(EnergyOrder, TimeLimitEndsTheSearch) {
  Problem p = layered(4, 400);
  EnergyOrderOptions options;
  options.limits = Limits(200);
  auto start = std::chrono::steady_clock::now();
  Schedule s = energyOrder(p, CacheModel::Lru, options);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 5);
  EXPECT_TRUE(s.limited);
  EXPECT_LE(s.cost, energyOfOrder(p, given(p), CacheModel::Lru));
}

TEST(EnergyOrder, HugeProblemsTakeTheFastWay) {
  Problem p = layered(5, kFastSteps + 1000);
  Schedule s = energyOrder(p, CacheModel::Lru);
  EXPECT_LE(s.cost, energyOfOrder(p, given(p), CacheModel::Lru));
  EXPECT_EQ(s.solver, "energy-fast");
  EXPECT_TRUE(verify(p, s.moves).verdict.ok());
}

TEST(EnergyOrder, NothingToOrderIsOptimal) {
  Problem empty;
  empty.hierarchy = sutro();
  EXPECT_EQ(energyOrder(empty, CacheModel::Lru).status, Status::Optimal);
  Problem flat = layered(6, 20);
  flat.hierarchy = {};
  Schedule s = energyOrder(flat, CacheModel::Sutro);
  EXPECT_EQ(s.status, Status::Optimal);
  EXPECT_EQ(s.cost, 0);
}

} // namespace
