//===- PipelineBudgetsTest.cpp - more bytes and more means are no worse ---===//

#include "PipelineFixtures.h"

#include <limits>

using namespace pebble;
using namespace pebble::pipeline;
using namespace pebble::pipeline::test;

TEST(PipelineBudgets, MoreBytesAreNoSlower) {
  Random random(11);
  int faster = 0;
  for (int i = 0; i < 16; ++i) {
    Pipeline p = makeRandom(random, 5, 9);
    const int64_t least = findLeastBytes(p, Options()).bytes;
    Options options;
    options.mayOffload = random.below(2);
    options.effort = 60;
    int64_t before = std::numeric_limits<int64_t>::max();
    // One byte after the other, as far as all that are fewer are tried.
    for (int64_t bytes = least; bytes < least + 14; ++bytes) {
      const std::vector<int64_t> smaller = findSmallerBudgets(p, bytes);
      if (!smaller.empty() && smaller.front() != bytes - 1)
        break;
      p.budgets.assign(p.ranks, bytes);
      const Answer answer = solve(p, options);
      if (!game::isAnswered(answer.status)) {
        EXPECT_EQ(before, std::numeric_limits<int64_t>::max());
        continue;
      }
      EXPECT_LE(answer.cost, before) << "pipeline " << i << ", " << bytes;
      EXPECT_LE(answer.bound, answer.cost);
      EXPECT_TRUE(play(p, answer.tasks).verdict.ok());
      options.triesLess = false;
      faster += answer.cost < solve(p, options).cost;
      options.triesLess = true;
      before = answer.cost;
      if (before == boundOnMakespan(p, options))
        break;
    }
  }
  EXPECT_GT(faster, 0);
}

TEST(PipelineBudgets, SmallerOnesAreAllThatMakeADifferenceOrEverySoMany) {
  Stage stage = makeStage(1, 1, 12);
  stage.input = 4;
  stage.fixed = 8;
  Pipeline p = makeEqual(2, 1, 2, stage);
  using Budgets = std::vector<int64_t>;
  EXPECT_EQ(findSmallerBudgets(p, 30), (Budgets{28, 24, 20}));
  EXPECT_EQ(findSmallerBudgets(p, 28), (Budgets{24, 20}));
  EXPECT_EQ(findSmallerBudgets(p, 20), Budgets());
  EXPECT_EQ(findSmallerBudgets(p, 108).front(), 104);
  EXPECT_EQ(findSmallerBudgets(p, 108).back(), 24);
  EXPECT_EQ(findSmallerBudgets(p, 108).size(), 11u);
  // A budget is among the smaller ones of any that is larger, as long as
  // steps are alike.
  EXPECT_EQ(findSmallerBudgets(p, 100).front(), 96);
}

TEST(PipelineBudgets, MoreMeansAreNoSlower) {
  Random random(12);
  int faster = 0;
  for (int i = 0; i < 20; ++i) {
    Pipeline p = makeRandom(random, 5, 6);
    giveBudgets(p, random);
    Options options;
    options.effort = 200;
    int64_t least = std::numeric_limits<int64_t>::max();
    for (bool again : {false, true}) {
      options.mayRecompute = again;
      options.mayOffload = !again;
      const Answer alone = solve(p, options);
      if (game::isAnswered(alone.status))
        least = std::min(least, alone.cost);
    }
    options.mayRecompute = options.mayOffload = true;
    const Answer both = solve(p, options);
    if (least == std::numeric_limits<int64_t>::max())
      continue;
    ASSERT_TRUE(game::isAnswered(both.status));
    EXPECT_LE(both.cost, least) << i;
    faster += both.cost < least;
  }
  EXPECT_GT(faster, 0);
}
