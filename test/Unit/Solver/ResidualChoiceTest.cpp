//===- ResidualChoiceTest.cpp - what a step leaves for its adjoint --------===//

#include "pebble/Solver/Remat/ResidualChoice.h"

#include <gtest/gtest.h>

#include <random>

using namespace pebble::graph;

/// A chain: an input of 10 bytes, and steps that make 10 bytes each.
static ResidualProblem makeChain(const std::vector<int64_t> &costs) {
  ResidualProblem p;
  p.values.push_back({10, ResidualProblem::kNone, true, false});
  for (uint32_t s = 0; s < costs.size(); ++s) {
    p.steps.push_back({costs[s], {s}});
    p.values.push_back({10, s, true, true});
  }
  return p;
}

TEST(ResidualChoice, KeepsAllThatFits) {
  ResidualProblem p = makeChain({5, 6, 7});
  auto all = chooseResiduals(p, 30);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->cost, 0);
  EXPECT_EQ(all->bytes, 30);
  auto two = chooseResiduals(p, 29);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->cost, 6); // from the result of the first one
  EXPECT_TRUE(two->isOptimal());
  auto one = chooseResiduals(p, 10);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->cost, 13);
  EXPECT_EQ(getLeastResidualBytes(p), 10);
  EXPECT_FALSE(chooseResiduals(p, 9));
}

TEST(ResidualChoice, KeepsWhatTheAdjointDoesNotRead) {
  // Two wanted values of 10 bytes are made of one of 10 bytes that is not
  // wanted, and dear to make.
  ResidualProblem p;
  p.values = {{0, ResidualProblem::kNone, true, false},
              {10, 0, true, false},
              {10, 1, true, true},
              {10, 2, true, true}};
  p.steps = {{100, {0}}, {1, {1}}, {1, {1}}};
  auto choice = chooseResiduals(p, 10);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->cost, 2);
  EXPECT_TRUE(choice->isKept[1]);
}

TEST(ResidualChoice, WhatCannotBeHadIsNoChoice) {
  ResidualProblem p;
  p.values = {{8, ResidualProblem::kNone, false, true}};
  EXPECT_FALSE(getLeastResidualBytes(p));
  EXPECT_FALSE(chooseResiduals(p, 100));
}

TEST(ResidualChoice, ChoicesAreChecked) {
  ResidualProblem p = makeChain({5, 6});
  ResidualChoice choice = *chooseResiduals(p, 10);
  EXPECT_TRUE(isChoiceOf(p, choice));
  ResidualChoice less = choice;
  less.cost -= 1;
  EXPECT_FALSE(isChoiceOf(p, less));
  ResidualChoice none = choice;
  none.isKept.assign(none.isKept.size(), false);
  none.bytes = 0;
  EXPECT_FALSE(isChoiceOf(p, none));
}

static ResidualProblem makeRandom(std::mt19937 &random) {
  auto draw = [&](int64_t low, int64_t high) {
    return low + int64_t(random() % uint64_t(high - low + 1));
  };
  ResidualProblem p;
  for (int64_t i = draw(1, 2); i > 0; --i)
    p.values.push_back(
        {draw(0, 1) * draw(1, 9), ResidualProblem::kNone, true, false});
  for (int64_t s = 0, steps = draw(2, 8); s < steps; ++s) {
    ResidualProblem::Step step{draw(1, 20), {}};
    for (int64_t i = draw(1, 3); i > 0; --i)
      step.reads.push_back(draw(0, int64_t(p.values.size()) - 1));
    p.steps.push_back(step);
    for (int64_t i = draw(1, 3) / 3; i >= 0; --i)
      p.values.push_back(
          {draw(1, 30), uint32_t(s), draw(0, 9) > 0, draw(0, 2) > 0});
  }
  return p;
}

/// The least cost within `budget`, by all sets of steps that run again.
static std::optional<int64_t> tryAll(const ResidualProblem &p, int64_t budget,
                                     int64_t &leastBytes) {
  std::optional<int64_t> least;
  for (uint32_t set = 0; set < (1u << p.steps.size()); ++set) {
    std::vector<bool> wanted;
    int64_t cost = 0, bytes = 0;
    for (const auto &value : p.values)
      wanted.push_back(value.isWanted);
    for (uint32_t s = 0; s < p.steps.size(); ++s)
      if (set >> s & 1) {
        cost += p.steps[s].cost;
        for (uint32_t read : p.steps[s].reads)
          wanted[read] = true;
      }
    bool isPossible = true;
    for (uint32_t v = 0; v < p.values.size(); ++v) {
      uint32_t maker = p.values[v].maker;
      bool isMade = maker != ResidualProblem::kNone && (set >> maker & 1);
      if (!wanted[v] || isMade)
        continue;
      isPossible &= p.values[v].canKeep;
      bytes += p.values[v].bytes;
    }
    if (!isPossible)
      continue;
    leastBytes = std::min(leastBytes, bytes);
    if (bytes <= budget && (!least || cost < *least))
      least = cost;
  }
  return least;
}

TEST(ResidualChoice, AgreesWithAllChoicesOfSmallProblems) {
  std::mt19937 random(20);
  size_t found = 0, none = 0;
  for (int i = 0; i < 400; ++i) {
    ResidualProblem p = makeRandom(random);
    int64_t all = 0;
    for (const auto &value : p.values)
      all += value.bytes;
    for (int64_t part = 0; part <= 8; ++part) {
      int64_t budget = all * part / 8, leastBytes = INT64_MAX;
      auto expected = tryAll(p, budget, leastBytes);
      auto choice = chooseResiduals(p, budget);
      ASSERT_EQ(expected.has_value(), choice.has_value()) << i;
      auto least = getLeastResidualBytes(p);
      ASSERT_EQ(least.value_or(INT64_MAX), leastBytes) << i;
      (choice ? found : none) += 1;
      if (!choice)
        continue;
      EXPECT_TRUE(isChoiceOf(p, *choice)) << i;
      EXPECT_LE(choice->bytes, budget) << i;
      EXPECT_EQ(choice->cost, *expected) << i;
      EXPECT_TRUE(choice->isOptimal()) << i;
      // Stopped at once, it still tells what is certain.
      auto early = chooseResiduals(p, budget, 1);
      ASSERT_TRUE(early) << i;
      EXPECT_TRUE(isChoiceOf(p, *early)) << i;
      EXPECT_LE(early->bound, *expected) << i;
      EXPECT_GE(early->cost, *expected) << i;
    }
  }
  EXPECT_GT(found, 500u);
  EXPECT_GT(none, 100u);
}
