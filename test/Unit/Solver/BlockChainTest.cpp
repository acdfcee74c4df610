//===- BlockChainTest.cpp - dynamic programming over blocks ---------------===//

#include "Solver/Remat/BlockChain.h"
#include "Solver/Graph/BlockCut.h"
#include "Solver/Remat/RematSearch.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Id;
using game::Problem;
using game::Schedule;
using game::Status;

namespace {

/// A training step of `blocks` blocks: x, then c (dear) and r (cheap) of it,
/// and y = r + x; backwards each step reads what its forward step read.
class Residual {
public:
  explicit Residual(int blocks) {
    p.hierarchy.tiers.resize(1);
    p.hierarchy.tiers[0].name = "fast";
    Id x = add("in", {}, 4, 5);
    std::vector<Id> cs, rs, xs;
    for (int b = 0; b < blocks; ++b) {
      const std::string n = std::to_string(b);
      xs.push_back(x);
      cs.push_back(add("c" + n, {x}, 6, 9));
      rs.push_back(add("r" + n, {cs.back()}, 6, 1));
      x = add("y" + n, {rs.back(), x}, 4, 1);
    }
    Id d = add("loss", {x}, 4, 1);
    for (int b = blocks; b-- > 0;) {
      const std::string n = std::to_string(b);
      const Id dr = add("dr" + n, {d, rs[b]}, 6, 1);
      const Id dc = add("dc" + n, {dr, cs[b]}, 6, 9);
      d = add("dx" + n, {dc, d, xs[b]}, 4, 1);
    }
    p.values[d].required = true;
  }
  Problem p;

private:
  Id add(const std::string &name, const std::vector<Id> &reads, int64_t size,
         int64_t cost) {
    const Id id = p.steps.size();
    p.storages.push_back({name, size, size, false, false});
    game::Value v;
    v.name = name;
    v.storage = v.producer = id;
    p.values.push_back(v);
    game::Step s;
    s.name = name;
    s.cost = cost;
    for (Id r : reads)
      s.reads.push_back({r, p.storages[r].bytes});
    s.writes.push_back({id, size});
    p.steps.push_back(s);
    return id;
  }
};

Schedule solve(const Problem &p, int64_t budget, uint64_t effort = 0) {
  LeastCostOptions o;
  o.effort = effort;
  o.budget = budget;
  EXPECT_EQ(blockChainRefusal(p, o), "");
  Schedule s = blockChain(p, o);
  if (isAnswered(s.status)) {
    const game::Replay r = verify(p, s.moves, budget);
    EXPECT_TRUE(r.verdict.ok()) << r.verdict.message;
    EXPECT_EQ(r.cost, s.cost);
    EXPECT_EQ(r.peak[0], s.peak);
    EXPECT_LE(s.bound, s.cost);
  }
  return s;
}

int64_t givenPeak(const Problem &p) {
  return verify(p, scheduleOfOrder(p, givenOrder(p))).peak[0];
}

} // namespace

TEST(BlockCut, residual_blocks_find_their_backward_blocks) {
  const Problem p = Residual(4).p;
  const BlockCut cut = cutIntoBlocks(p, 24);
  EXPECT_EQ(cut.width, 1u);
  ASSERT_GE(cut.blocks.size(), 4u);
  std::vector<int> seen(p.steps.size(), 0);
  for (const BlockCut::Block &block : cut.blocks) {
    for (Id s : block.forward)
      ++seen[s];
    for (Id s : block.backward)
      ++seen[s];
  }
  for (int times : seen)
    EXPECT_EQ(times, 1);
  // What block 1 makes (c1) its own backward block reads (dc1).
  auto named = [&](const char *name) {
    for (Id s = 0; s < p.steps.size(); ++s)
      if (p.steps[s].name == name)
        return s;
    return game::kNone;
  };
  for (const BlockCut::Block &block : cut.blocks)
    for (Id s : block.forward)
      if (s == named("c1"))
        EXPECT_NE(std::find(block.backward.begin(), block.backward.end(),
                            named("dc1")),
                  block.backward.end());
  EXPECT_LE(cutIntoBlocks(p, 3).blocks.size(), 3u);
}

TEST(BlockChain, comes_near_the_optimum_of_small_training_steps) {
  const Problem p = Residual(4).p;
  const int64_t most = givenPeak(p);
  int answered = 0, equal = 0;
  for (int64_t budget = most; budget >= most / 3; --budget) {
    RematSearchOptions o;
    o.budget = budget;
    const Schedule best = rematSearch(p, o);
    const Schedule s = solve(p, budget);
    if (best.status == Status::Infeasible) {
      EXPECT_NE(s.status, Status::Optimal);
      EXPECT_NE(s.status, Status::Feasible);
      continue;
    }
    ASSERT_EQ(best.status, Status::Optimal);
    if (s.status == Status::Unknown)
      continue;
    ++answered;
    equal += s.cost == best.cost;
    EXPECT_GE(s.cost, best.cost) << budget;
    EXPECT_LE(s.bound, best.cost) << budget;
    EXPECT_LE(s.cost, best.cost * 12 / 10) << budget;
  }
  EXPECT_GE(answered, 10);
  EXPECT_GE(equal, answered / 2);
}

TEST(BlockChain, thirty_blocks_in_a_third_of_the_memory) {
  const Problem p = Residual(30).p;
  const int64_t budget = givenPeak(p) / 3;
  const Schedule s = solve(p, budget, 300);
  ASSERT_EQ(s.status, Status::Feasible);
  int64_t once = 0;
  for (const game::Step &step : p.steps)
    once += step.cost;
  EXPECT_LT(s.cost, once * 3 / 2);
  const Schedule again = solve(p, budget, 300);
  EXPECT_EQ(again.cost, s.cost);
  EXPECT_EQ(again.moves.size(), s.moves.size());
}

TEST(BlockChain, refuses_what_is_no_chain_and_says_why) {
  LeastCostOptions o;
  o.budget = 100;
  Problem p = Residual(4).p;
  p.steps[3].recomputable = false;
  EXPECT_NE(blockChainRefusal(p, o).find("may not run again"),
            std::string::npos);
  p = Residual(4).p;
  o.means.recompute = false;
  EXPECT_EQ(blockChainRefusal(p, o), "is not to be recomputed");
}

TEST(BlockChain, an_impossible_budget_is_infeasible) {
  const Problem p = Residual(3).p;
  LeastCostOptions o;
  o.budget = 5;
  EXPECT_EQ(blockChain(p, o).status, Status::Infeasible);
}
