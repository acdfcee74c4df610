//===- SnapshotIntervalTest.cpp - how often to take a snapshot ------------===//

#include "pebble/Solver/Chain/SnapshotInterval.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

using namespace pebble::chain;

namespace {

TEST(SnapshotInterval, EstimatesAreThoseOfThePapers) {
  SnapshotCosts costs{1, 5, 0, 1000};
  EXPECT_DOUBLE_EQ(youngInterval(costs), 100);
  // sqrt(2 * 5 * 1000) * (1 + sqrt(5 / 2000) / 3 + 5 / 18000) - 5
  EXPECT_NEAR(dalyInterval(costs), 96.6944, 1e-4);
  costs.snapshot = 2500;
  EXPECT_DOUBLE_EQ(dalyInterval(costs), 1000);
}

TEST(SnapshotInterval, TheBestIsTheLeastOfAll) {
  std::mt19937 random(7);
  auto draw = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution<>(std::log(low),
                                                     std::log(high))(random));
  };
  for (int i = 0; i < 2000; ++i) {
    SnapshotCosts costs{draw(0.01, 10), draw(0.01, 100), draw(0.1, 100),
                        draw(10, 10000)};
    const int64_t most = 1 + static_cast<int64_t>(random() % 400);
    int64_t best = 1;
    for (int64_t every = 2; every <= most; ++every)
      if (expectedTime(costs, 1000, every) < expectedTime(costs, 1000, best))
        best = every;
    ASSERT_DOUBLE_EQ(expectedTime(costs, 1000, bestEvery(costs, most)),
                     expectedTime(costs, 1000, best));
  }
}

TEST(SnapshotInterval, EstimatesComeNearTheBest) {
  SnapshotCosts costs{0.1, 3, 10, 3600};
  const auto best = static_cast<double>(bestEvery(costs, 1 << 20));
  EXPECT_NEAR(best * costs.iteration, youngInterval(costs), 4);
  EXPECT_NEAR(best * costs.iteration, dalyInterval(costs), 0.1);
}

/// One run of a program that fails at random.
double simulate(const SnapshotCosts &costs, int64_t iterations, int64_t every,
                std::mt19937 &random) {
  std::exponential_distribution<> next(1 / costs.failures);
  double now = 0, failure = next(random);
  for (int64_t done = 0; done < iterations;) {
    double end =
        now + costs.iteration * static_cast<double>(every) + costs.snapshot;
    if (end <= failure) {
      now = end;
      done += every;
      continue;
    }
    // It may fail again before it goes on.
    do {
      now = failure;
      failure = now + next(random);
    } while (now + costs.restart > failure);
    now += costs.restart;
  }
  return now;
}

TEST(SnapshotInterval, TheModelIsWhatHappens) {
  std::mt19937 random(11);
  for (const SnapshotCosts &costs :
       {SnapshotCosts{1, 5, 20, 300}, SnapshotCosts{1, 40, 1, 100}}) {
    constexpr int64_t kEvery = 30, kIterations = 600;
    double sum = 0;
    constexpr int kRuns = 20000;
    for (int run = 0; run < kRuns; ++run)
      sum += simulate(costs, kIterations, kEvery, random);
    const double expected = expectedTime(costs, kIterations, kEvery);
    EXPECT_NEAR(sum / kRuns, expected, 0.01 * expected);
  }
}

TEST(SnapshotInterval, WhatIsBeyondAllNumbersIsInfinite) {
  SnapshotCosts costs{1e6, 1e6, 0, 1};
  EXPECT_TRUE(std::isinf(expectedTime(costs, 10, 1)));
  EXPECT_EQ(bestEvery(costs, 100), 1);
}

} // namespace
