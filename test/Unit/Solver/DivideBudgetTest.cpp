//===- DivideBudgetTest.cpp - how much memory each callee gets ------------===//

#include "pebble/Solver/Calls/DivideBudget.h"

#include "Solver/Graph/Random.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace pebble;
using namespace pebble::calls;

namespace {

/// A caller whose own cost depends on what all calls take: some values are kept
/// beside several calls and made again if they do not fit beside one of them.
class RandomCaller {
public:
  RandomCaller(uint64_t seed, unsigned mostCalls) : random(seed * 769 + 5) {
    const unsigned numCalls = 1 + draw(mostCalls), numCallees = 1 + draw(3);
    for (unsigned i = 0; i < numCallees; ++i) {
      std::vector<Point> points(1 + draw(4));
      int64_t memory = 1 + draw(5), cost = 40 + draw(40);
      for (Point &point : points) {
        point = {memory, cost};
        memory += 1 + draw(6);
        cost -= 1 + draw(9);
      }
      callees.push_back(std::move(points));
    }
    for (unsigned i = 0; i < numCalls; ++i) {
      task.callees.push_back(draw(numCallees));
      task.counts.push_back(callees[task.callees.back()].size());
      room.push_back(6 + draw(20));
    }
    for (unsigned i = draw(5); i > 0; --i) {
      const unsigned first = draw(numCalls);
      kept.push_back(
          {first, first + draw(numCalls - first), 1 + draw(5), 1 + draw(15)});
    }
    task.price = [this](const Versions &versions) {
      ++asked;
      return price(versions);
    };
  }

  std::optional<int64_t> price(const Versions &versions) const {
    int64_t cost = 0;
    std::vector<int64_t> left = room;
    for (size_t i = 0; i < versions.size(); ++i) {
      const Point &point = callees[task.callees[i]][versions[i]];
      cost += point.cost;
      left[i] -= point.memory;
      if (left[i] < 0)
        return std::nullopt;
    }
    // In order, as a caller does that never looks back.
    for (const Kept &value : kept) {
      auto begin = left.begin() + value.first,
           end = left.begin() + value.last + 1;
      if (std::any_of(begin, end, [&](int64_t r) { return r < value.bytes; }))
        cost += value.cost;
      else
        std::for_each(begin, end, [&](int64_t &r) { r -= value.bytes; });
    }
    return cost;
  }

  std::optional<int64_t> getLeast() const {
    std::optional<int64_t> least;
    Versions versions(task.counts.size(), 0);
    while (true) {
      if (std::optional<int64_t> cost = price(versions))
        least = std::min(least.value_or(*cost), *cost);
      size_t at = 0;
      while (at < versions.size() && ++versions[at] == task.counts[at])
        versions[at++] = 0;
      if (at == versions.size())
        return least;
    }
  }

  DivisionTask task;
  size_t asked = 0;

private:
  struct Point {
    int64_t memory, cost;
  };
  struct Kept {
    unsigned first, last;
    int64_t bytes, cost;
  };
  unsigned draw(unsigned below) {
    return static_cast<unsigned>(random.below(below));
  }

  graph::Random random;
  std::vector<std::vector<Point>> callees;
  std::vector<int64_t> room;
  std::vector<Kept> kept;
};

TEST(DivideBudget, FewChoicesAreAllTried) {
  unsigned fit = 0, uneven = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    RandomCaller caller(seed, 3);
    caller.task.mostTrials = 256;
    std::optional<Division> found = divideBudget(caller.task);
    std::optional<int64_t> least = caller.getLeast();
    ASSERT_EQ(found.has_value(), least.has_value()) << seed;
    if (!found)
      continue;
    EXPECT_EQ(found->cost, *least) << seed;
    EXPECT_TRUE(found->isExact);
    EXPECT_EQ(caller.price(found->versions), found->cost);
    ++fit;
    const auto &callees = caller.task.callees;
    for (size_t i = 1; i < callees.size(); ++i)
      uneven +=
          callees[i] == callees[0] && found->versions[i] != found->versions[0];
  }
  EXPECT_GT(fit, 500u);
  // Two calls of one function are to differ now and then.
  EXPECT_GT(uneven, 50u);
}

TEST(DivideBudget, OfManyChoicesThoseNearTheBestAreTried) {
  int64_t sum = 0, leastSum = 0;
  unsigned best = 0, fit = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomCaller caller(seed, 6);
    caller.task.mostTrials = 40;
    std::optional<Division> found = divideBudget(caller.task);
    EXPECT_LE(caller.asked, 40u);
    std::optional<int64_t> least = caller.getLeast();
    if (!found) {
      // The leanest versions fit if anything does.
      EXPECT_FALSE(least) << seed;
      continue;
    }
    EXPECT_LE(found->cost,
              *caller.price(Versions(caller.task.counts.size(), 0)));
    EXPECT_GE(found->cost, *least);
    if (found->isExact)
      EXPECT_EQ(found->cost, *least) << seed;
    ++fit;
    best += found->cost == *least;
    sum += found->cost;
    leastSum += *least;
  }
  EXPECT_GT(best * 10, fit * 8);
  EXPECT_LT(sum * 100, leastSum * 102);
}

TEST(DivideBudget, EndsAtTheBound) {
  DivisionTask task;
  task.callees = {0, 0};
  task.counts = {3, 3};
  size_t asked = 0;
  task.bound = 7;
  task.price = [&](const Versions &versions) -> std::optional<int64_t> {
    ++asked;
    return versions == Versions{1, 0} ? 7 : 9;
  };
  std::optional<Division> found = divideBudget(task);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cost, 7);
  EXPECT_TRUE(found->isExact);
  EXPECT_EQ(asked, 2u);
  EXPECT_EQ(found->trials, 2u);
}

TEST(DivideBudget, WithoutCallsOnePlanIsMade) {
  DivisionTask task;
  task.price = [](const Versions &) { return std::optional<int64_t>(3); };
  std::optional<Division> found = divideBudget(task);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->trials, 1u);
  task.price = [](const Versions &) { return std::optional<int64_t>(); };
  EXPECT_FALSE(divideBudget(task));
}

} // namespace
