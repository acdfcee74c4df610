//===- EnergyTouchesTest.cpp - the kept-up energy is the energy -----------===//

#include "EnergyFixtures.h"

#include "Solver/Energy/EnergyOrderState.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace pebble::graph;
using namespace pebble::test;

namespace {

/// Each value in a storage of its own: what the model `sutro` sees.
Problem unfolded(Problem p) {
  std::vector<Storage> storages;
  for (Value &v : p.values) {
    Storage s = p.storages[v.storage];
    s.initial = v.producer == kNone;
    v.storage = storages.size();
    v.overwrites = kNone;
    v.required = false;
    storages.push_back(s);
  }
  p.storages = storages;
  return p;
}

int64_t excess(const Problem &p, const std::vector<Id> &order, int64_t limit) {
  int64_t sum = 0;
  for (int64_t live : LiveStorages(p).profile(order))
    sum += std::max<int64_t>(0, live - limit);
  return sum;
}

template <typename Word>
void expectSwapsKeepUp(unsigned seed, size_t steps, int swaps) {
  Problem p = randomProblem(seed, steps);
  TouchTable table(p, CacheModel::Lru);
  ASSERT_TRUE(table.isNarrow());
  std::vector<Id> order(steps);
  std::iota(order.begin(), order.end(), 0);
  const int64_t limit = LiveStorages(p).peak(order) * 3 / 4;
  EnergyOrderState<Word> state(table, order, limit);
  ASSERT_EQ(state.energy(), energyOfOrder(p, order, CacheModel::Lru));
  ASSERT_EQ(state.excess(), excess(p, order, limit));
  std::mt19937 rng(seed);
  for (int i = 0; i < swaps; ++i) {
    Id at = rng() % (steps - 1);
    if (table.isBefore(state.order()[at], state.order()[at + 1]))
      continue;
    state.swap(at);
    ASSERT_EQ(state.energy(), energyOfOrder(p, state.order(), CacheModel::Lru))
        << "seed " << seed << " swap " << i;
    ASSERT_EQ(state.excess(), excess(p, state.order(), limit));
    if (i % 97 == 0) {
      size_t keep = rng() % (state.made() + 1);
      state.undoTo(keep);
      ASSERT_EQ(state.energy(),
                energyOfOrder(p, state.order(), CacheModel::Lru));
      ASSERT_EQ(state.excess(), excess(p, state.order(), limit));
    }
    if (i % 211 == 0)
      state.forget();
  }
}

TEST(EnergyTouches, EnergyAndExcessAfterSwapsAreThoseFromScratch) {
  for (unsigned seed = 0; seed < 200; ++seed)
    expectSwapsKeepUp<int32_t>(seed, 3 + seed % 15, 300);
  expectSwapsKeepUp<int32_t>(1000, 60, 3000);
}

TEST(EnergyTouches, WideWordsAgree) {
  for (unsigned seed = 300; seed < 350; ++seed)
    expectSwapsKeepUp<int64_t>(seed, 12, 300);
}

TEST(EnergyTouches, SutroTablesTouchValues) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Problem p = randomProblem(seed, 12);
    TouchTable table(p, CacheModel::Sutro);
    std::vector<Id> order(p.steps.size());
    std::iota(order.begin(), order.end(), 0);
    EnergyOrderState<int32_t> state(table, order);
    EXPECT_EQ(state.energy(),
              energyOfOrder(unfolded(p), order, CacheModel::Lru));
  }
}

TEST(EnergyTouches, StepsMoveBetweenTheirNeighboursInTheGraph) {
  Problem p = parityOnSutro();
  TouchTable table(p, CacheModel::Lru);
  std::vector<Id> order(p.steps.size());
  std::iota(order.begin(), order.end(), 0);
  EnergyOrderState<int32_t> state(table, order);
  const Id updateW2 = 13;
  EXPECT_EQ(state.earliest(updateW2), 8u); // after bwd_dh
  EXPECT_EQ(state.latest(updateW2), 14u);
}

TEST(EnergyTouches, HugeSizesNeedWideWords) {
  Problem p = parityOnSutro();
  p.storages[0].bytes = int64_t(1) << 40;
  p.storages[1].bytes = 3;
  EXPECT_FALSE(TouchTable(p, CacheModel::Lru).isNarrow());
}

} // namespace
