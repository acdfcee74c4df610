//===- TreeCostTest.cpp - recomputation never helps on in-trees -----------===//

#include "Solver/Remat/TreeCost.h"
#include "Solver/Graph/Random.h"
#include "Solver/Remat/RematSearch.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

/// A tree that grows towards its last step: each step reads some results that
/// nothing has read yet.
Problem randomTree(uint64_t seed, size_t steps) {
  Random random(seed);
  Problem p;
  p.hierarchy.tiers.resize(1);
  p.hierarchy.tiers[0].name = "fast";
  std::vector<Id> open;
  for (Id i = 0; i < steps; ++i) {
    const auto size = static_cast<int64_t>(1 + random.below(9));
    p.storages.push_back({"v" + std::to_string(i), size, size, false, false});
    game::Value v;
    v.name = "v" + std::to_string(i);
    v.storage = v.producer = i;
    v.required = i + 1 == steps;
    p.values.push_back(v);
    game::Step s;
    s.name = v.name;
    s.cost = static_cast<int64_t>(1 + random.below(5));
    s.scratch = random.below(3) ? 0 : static_cast<int64_t>(random.below(5));
    s.writes = {{i, size}};
    for (size_t r = i + 1 == steps ? open.size() : random.below(3);
         r > 0 && !open.empty(); --r) {
      const size_t at = random.below(open.size());
      s.reads.push_back({open[at], p.storages[open[at]].bytes});
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    }
    open.push_back(i);
    p.steps.push_back(s);
  }
  return p;
}

} // namespace

TEST(TreeCost, exact_search_with_recomputation_finds_nothing_more) {
  int infeasible = 0, tight = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Problem p = randomTree(seed, 6 + seed % 8);
    LeastCostOptions o;
    ASSERT_EQ(treeCostRefusal(p, o), "");
    o.budget = 0;
    const Schedule none = treeCost(p, o);
    ASSERT_EQ(none.status, Status::Infeasible);
    ASSERT_TRUE(none.minBudget);
    for (const int64_t budget : {*none.minBudget - 1, *none.minBudget}) {
      o.budget = budget;
      const Schedule s = treeCost(p, o);
      RematSearchOptions search;
      search.budget = budget;
      const Schedule best = rematSearch(p, search);
      EXPECT_EQ(s.status, best.status) << seed;
      if (s.status != Status::Optimal) {
        ++infeasible;
        continue;
      }
      ++tight;
      EXPECT_EQ(s.cost, best.cost) << seed;
      EXPECT_TRUE(verify(p, s.moves, budget).verdict.ok());
    }
  }
  EXPECT_EQ(infeasible, 60);
  EXPECT_EQ(tight, 60);
}

TEST(TreeCost, large_trees_are_settled) {
  const Problem p = randomTree(5, 2000);
  LeastCostOptions o;
  o.budget = 0;
  const Schedule none = treeCost(p, o);
  ASSERT_TRUE(none.minBudget);
  o.budget = none.minBudget;
  EXPECT_EQ(treeCost(p, o).status, Status::Optimal);
}

TEST(TreeCost, other_shapes_are_refused_with_the_reason) {
  Problem p = randomTree(3, 8);
  p.steps[7].reads.push_back(p.steps[7].reads[0]);
  EXPECT_EQ(treeCostRefusal(p, {}), "") << "the same reader twice";
  Problem two = p;
  two.values[two.steps[7].reads[0].value].required = true;
  EXPECT_NE(treeCostRefusal(two, {}).find("read and required"),
            std::string::npos);
  LeastCostOptions o;
  o.means.offload = true;
  EXPECT_NE(treeCostRefusal(p, o), "");
  // The last step reads what an earlier one reads already.
  Problem fork = randomTree(3, 8);
  const game::Access *taken = nullptr;
  for (Id i = 0; i < 7; ++i)
    if (!fork.steps[i].reads.empty())
      taken = &fork.steps[i].reads[0];
  ASSERT_NE(taken, nullptr);
  fork.steps[7].reads.push_back(*taken);
  EXPECT_NE(treeCostRefusal(fork, {}).find("several readers"),
            std::string::npos);
}
