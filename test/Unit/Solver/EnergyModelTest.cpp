//===- EnergyModelTest.cpp - published energies, to the last digit --------===//
//
// The energies, their split by tier and the reuse distances of the
// sparse-parity training step, in picojoules and floats as published.
//
//===----------------------------------------------------------------------===//

#include "EnergyFixtures.h"

#include "pebble/Solver/Energy/EnergyModel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace pebble::graph;
using namespace pebble::test;

namespace {

constexpr int64_t kPico = 1000; // femtojoules

using Names = std::vector<std::string>;
const Names kStandard = {"bwd_dW2", "bwd_db2", "bwd_dh", "bwd_relu", "bwd_dW1",
                         "bwd_db1", "upd_W1",  "upd_b1", "upd_W2",   "upd_b2"};
const Names kFused = {"bwd_dW2",  "upd_W2",  "bwd_db2", "upd_b2",  "bwd_dh",
                      "bwd_relu", "bwd_dW1", "upd_W1",  "bwd_db1", "upd_b1"};
const Names kPerLayer = {"bwd_dW2",  "bwd_db2", "upd_W2",  "upd_b2", "bwd_dh",
                         "bwd_relu", "bwd_dW1", "bwd_db1", "upd_W1", "upd_b1"};
const Names kPublished = {"bwd_dW2", "bwd_db2", "upd_b2", "bwd_dh",  "bwd_relu",
                          "upd_W2",  "bwd_db1", "upd_b1", "bwd_dW1", "upd_W1"};

class SparseParity : public ::testing::Test {
protected:
  EnergyReport price(const Names &rest, CacheModel model) {
    return evaluateEnergy(p, parityOrder(p, rest), model);
  }
  void expectSutro(const Names &rest, int64_t total, int64_t l2, int64_t l1,
                   int64_t reg) {
    EnergyReport r = price(rest, CacheModel::Sutro);
    EXPECT_EQ(r.total, total * kPico);
    EXPECT_EQ(r.perTier,
              (std::vector<int64_t>{reg * kPico, l1 * kPico, l2 * kPico, 0}));
  }
  double ardInFloats(const Names &rest) {
    return averageReuseDistance(p, parityOrder(p, rest)) / 4;
  }
  Problem p = parityOnSutro();
};

TEST_F(SparseParity, SutroEnergiesAreThePublishedOnes) {
  expectSutro(kStandard, 11004490, 10704400, 300040, 50);
  expectSutro(kFused, 10844330, 10504200, 340080, 50);
  expectSutro(kPerLayer, 10844330, 10504200, 340080, 50);
  expectSutro(kPublished, 10764315, 10404200, 360060, 55);
}

TEST_F(SparseParity, LruEnergiesAreRight) {
  auto total = [&](const Names &rest) {
    return price(rest, CacheModel::Lru).total;
  };
  EXPECT_EQ(total(kStandard), 11002890 * kPico);
  EXPECT_EQ(total(kFused), 10762715 * kPico);
  EXPECT_EQ(total(kPerLayer), 10842730 * kPico);
  EXPECT_EQ(total(kPublished), 10602715 * kPico);
  EXPECT_EQ(total({"bwd_db2", "upd_b2", "bwd_dW2", "bwd_dh", "bwd_relu",
                   "bwd_db1", "upd_b1", "upd_W2", "bwd_dW1", "upd_W1"}),
            10602685 * kPico);
}

TEST_F(SparseParity, ReuseDistancesAreThePublishedOnes) {
  EXPECT_NEAR(ardInFloats(kStandard), 45275.2118, 5e-5);
  EXPECT_NEAR(ardInFloats(kFused), 42248.2712, 5e-5);
  EXPECT_NEAR(ardInFloats(kPerLayer), 43328.6347, 5e-5);
  EXPECT_NEAR(ardInFloats(kPublished), 42033.7568, 5e-5);
}

TEST_F(SparseParity, LegalOrdersAreDistributedAsPublished) {
  std::vector<int64_t> sutro, lru;
  double leastArd = 1e99;
  forEachOrder(p.steps.size(), allPrecedences(p),
               [&](const std::vector<Id> &order) {
                 sutro.push_back(energyOfOrder(p, order, CacheModel::Sutro));
                 lru.push_back(energyOfOrder(p, order, CacheModel::Lru));
                 leastArd = std::min(leastArd, averageReuseDistance(p, order));
               });
  ASSERT_EQ(sutro.size(), 7290u);
  std::sort(sutro.begin(), sutro.end());
  std::sort(lru.begin(), lru.end());
  EXPECT_EQ(sutro.front(), 10764315 * kPico);
  EXPECT_EQ(std::count(sutro.begin(), sutro.end(), sutro.front()), 12);
  EXPECT_EQ(sutro.back(), 11084600 * kPico);
  EXPECT_EQ((sutro[3644] + sutro[3645]) / 2, 11004330 * kPico);
  double mean = std::accumulate(sutro.begin(), sutro.end(), 0.0) / 7290;
  EXPECT_EQ(std::lround(mean / kPico), 10938801);
  double square = 0;
  for (int64_t e : sutro)
    square += (e - mean) * (e - mean);
  EXPECT_EQ(std::lround(std::sqrt(square / 7290) / kPico), 92368);
  EXPECT_EQ(lru.front(), 10602685 * kPico);
  EXPECT_EQ(std::count(lru.begin(), lru.end(), lru.front()), 4);
  EXPECT_NEAR(leastArd / 4, 41952.68, 5e-3);
}

TEST_F(SparseParity, FlowAloneAllowsMoreOrders) {
  std::vector<Precedence> flow;
  for (const Precedence &e : allPrecedences(p))
    if (e.kind == DependenceKind::Flow)
      flow.push_back(e);
  size_t orders = 0, least = 0;
  forEachOrder(p.steps.size(), flow, [&](const std::vector<Id> &order) {
    ++orders;
    least += energyOfOrder(p, order, CacheModel::Sutro) == 10764315 * kPico;
  });
  EXPECT_EQ(orders, 7560u);
  EXPECT_EQ(least, 16u);
}

TEST_F(SparseParity, AccessesAddUpToTheTotal) {
  for (CacheModel model : {CacheModel::Lru, CacheModel::Sutro}) {
    EnergyReport r = price(kStandard, model);
    std::vector<int64_t> perTier(r.perTier.size(), 0);
    for (const ServedAccess &a : r.accesses)
      perTier[a.tier] += a.energy;
    EXPECT_EQ(perTier, r.perTier);
    EXPECT_EQ(r.total,
              std::accumulate(perTier.begin(), perTier.end(), int64_t(0)));
    // W1 is the first thing read, from its own depth on the initial stack.
    EXPECT_EQ(r.accesses[0].distance, 20000 * 4);
    EXPECT_EQ(r.accesses[0].tier, 2u);
    // Then x, below everything but y.
    EXPECT_EQ(r.accesses[1].distance, 22021 * 4);
  }
}

/// The model written down a second time, as plainly as its definition: a list
/// of storages, newest first.
int64_t naiveLru(const Problem &p, const std::vector<Id> &order) {
  TierPrices prices(p.hierarchy);
  std::vector<Id> stack;
  for (Id s = 0; s < p.storages.size(); ++s)
    if (p.storages[s].initial)
      stack.push_back(s);
  int64_t total = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const Step &step = p.steps[order[i]];
    for (bool isWrite : {false, true})
      for (const Access &a : isWrite ? step.writes : step.reads) {
        Id s = p.values[a.value].storage;
        auto it = std::find(stack.begin(), stack.end(), s);
        int64_t depth = p.storages[s].bytes;
        size_t tier = prices.tierForNew(depth);
        if (it != stack.end()) {
          for (auto above = stack.begin(); above != it; ++above)
            depth += p.storages[*above].bytes;
          tier = prices.tierAtDistance(depth);
          stack.erase(it);
        }
        total += a.bytes * (isWrite ? prices.write[tier] : prices.read[tier]);
        stack.insert(stack.begin(), s);
      }
    auto dead = [&](Id s) {
      if (p.storages[s].initial)
        return false;
      for (const Value &v : p.values)
        if (v.storage == s && v.required)
          return false;
      for (size_t j = i + 1; j < order.size(); ++j)
        for (const auto *list :
             {&p.steps[order[j]].reads, &p.steps[order[j]].writes})
          for (const Access &a : *list)
            if (p.values[a.value].storage == s)
              return false;
      return true;
    };
    stack.erase(std::remove_if(stack.begin(), stack.end(), dead), stack.end());
  }
  return total;
}

int64_t naiveSutro(const Problem &p, const std::vector<Id> &order) {
  TierPrices prices(p.hierarchy);
  struct Entry {
    size_t last, made;
    Id value;
  };
  std::vector<Entry> live;
  auto size = [&](Id v) { return p.storages[p.values[v].storage].bytes; };
  for (Id v = 0; v < p.values.size(); ++v)
    if (p.values[v].producer == kNone)
      live.push_back({0, live.size(), v});
  size_t made = live.size();
  int64_t total = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const Step &step = p.steps[order[i]];
    for (const Access &a : step.reads) {
      std::sort(live.begin(), live.end(), [](const Entry &x, const Entry &y) {
        return x.last != y.last ? x.last > y.last : x.made < y.made;
      });
      int64_t depth = 0;
      for (Entry &e : live) {
        depth += size(e.value);
        if (e.value == a.value) {
          e.last = i + 1;
          break;
        }
      }
      total += a.bytes * prices.read[prices.tierAtDistance(depth)];
    }
    for (const Access &a : step.writes) {
      total += a.bytes * prices.write[prices.tierForNew(size(a.value))];
      live.push_back({i + 1, made++, a.value});
    }
    auto dead = [&](const Entry &e) {
      Id producer = p.values[e.value].producer;
      if (producer == kNone || producer == order[i])
        return false;
      for (size_t j = i + 1; j < order.size(); ++j)
        for (const Access &a : p.steps[order[j]].reads)
          if (a.value == e.value)
            return false;
      return true;
    };
    live.erase(std::remove_if(live.begin(), live.end(), dead), live.end());
  }
  return total;
}

TEST(EnergyModel, AgreesWithTheDefinitionOnRandomProblems) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Problem p = randomProblem(seed, 12);
    ASSERT_TRUE(check(p).ok()) << check(p).message;
    std::vector<Id> order(p.steps.size());
    std::iota(order.begin(), order.end(), 0);
    EXPECT_EQ(energyOfOrder(p, order, CacheModel::Lru), naiveLru(p, order));
    EXPECT_EQ(energyOfOrder(p, order, CacheModel::Sutro), naiveSutro(p, order));
  }
}

TEST(EnergyModel, WithoutCachesTheComputeTierServesEverything) {
  Problem p = parityOnSutro();
  p.hierarchy = {};
  Tier red;
  red.name = "red";
  red.readEnergy = red.writeEnergy = 1;
  Tier blue = red;
  blue.name = "blue";
  blue.readEnergy = blue.writeEnergy = 100;
  p.hierarchy.tiers = {red, blue};
  EnergyReport r =
      evaluateEnergy(p, parityOrder(p, kStandard), CacheModel::Lru);
  ASSERT_EQ(r.perTier.size(), 1u);
  int64_t bytes = 0;
  for (const Step &s : p.steps)
    for (const auto *list : {&s.reads, &s.writes})
      for (const Access &a : *list)
        bytes += a.bytes;
  EXPECT_EQ(r.total, bytes);
}

TEST(EnergyModel, InclusiveThresholdsStandAlone) {
  Hierarchy h = sutro();
  TierPrices exclusive(h);
  EXPECT_EQ(exclusive.reach[1], 16448 * 4);
  EXPECT_EQ(exclusive.reach[2], 81984 * 4);
  EXPECT_EQ(exclusive.reach[3], kUnbounded);
  EXPECT_EQ(exclusive.room[1], 16384 * 4);
  h.inclusion = Inclusion::Inclusive;
  EXPECT_EQ(TierPrices(h).reach[1], 16384 * 4);
}

TEST(EnergyModel, ModelsHaveNames) {
  EXPECT_EQ(parseCacheModel("lru"), CacheModel::Lru);
  EXPECT_EQ(parseCacheModel("sutro"), CacheModel::Sutro);
  EXPECT_FALSE(parseCacheModel("fifo"));
}

} // namespace
