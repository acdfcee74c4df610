//===- HeterogeneousChainTest.cpp - unequal chains and their judge --------===//

#include "ChainFixtures.h"

#include "Solver/Chain/ChainSearch.h"
#include "Solver/Chain/NestedChain.h"
#include "Solver/Graph/Random.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <set>

using namespace pebble;
using namespace pebble::chain;
using namespace pebble::test;
using game::Status;

namespace {

/// An independent judge of the optimum: Dijkstra over single moves, drops of
/// each value among them, and no rule about what is worth doing. Times only.
int64_t leastTime(const HeterogeneousChain &c, int64_t budget) {
  const size_t n = c.length();
  struct Board {
    std::vector<bool> a, s, d;
    bool operator<(const Board &o) const {
      return std::tie(a, s, d) < std::tie(o.a, o.s, o.d);
    }
  };
  Board start{std::vector<bool>(n + 1), std::vector<bool>(n + 1),
              std::vector<bool>(n + 1)};
  start.a[0] = start.d[n] = true;
  std::map<Board, int64_t> times = {{start, 0}};
  std::set<std::pair<int64_t, Board>> open = {{0, start}};
  while (!open.empty()) {
    const auto [time, board] = *open.begin();
    open.erase(open.begin());
    if (board.d[0])
      return time;
    int64_t live = 0;
    for (size_t k = 0; k <= n; ++k)
      live += (board.a[k] ? c.a[k] : 0) + (board.s[k] ? c.abar[k] : 0) +
              (board.d[k] ? c.d[k] : 0);
    if (live > budget)
      return kNever;
    auto reach = [&, &board = board, &time = time](auto change, int64_t cost) {
      Board next = board;
      change(next);
      auto [it, isNew] = times.emplace(next, time + cost);
      if (!isNew && it->second <= time + cost)
        return;
      open.erase({it->second, next});
      it->second = time + cost;
      open.insert({time + cost, next});
    };
    for (size_t k = 0; k <= n; ++k) {
      if (board.a[k])
        reach([k](Board &b) { b.a[k] = false; }, 0);
      if (board.s[k])
        reach([k](Board &b) { b.s[k] = false; }, 0);
      if (board.d[k])
        reach([k](Board &b) { b.d[k] = false; }, 0);
      if (k == 0 || !(board.a[k - 1] || board.s[k - 1]))
        continue;
      if (!board.a[k] && live + c.a[k] + c.of[k] <= budget)
        reach([k](Board &b) { b.a[k] = true; }, c.uf[k]);
      if (!board.s[k] && live + c.abar[k] + c.of[k] <= budget)
        reach([k](Board &b) { b.s[k] = true; }, c.uf[k]);
      if (board.s[k] && board.d[k] && !board.d[k - 1] &&
          live + c.d[k - 1] + c.ob[k] <= budget)
        reach([k](Board &b) { b.d[k - 1] = true; }, c.ub[k]);
    }
  }
  return kNever;
}

HeterogeneousChain randomChain(graph::Random &random, size_t n) {
  HeterogeneousChain c;
  auto draw = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random.below(high - low + 1));
  };
  for (size_t k = 0; k <= n; ++k) {
    c.a.push_back(draw(1, 6));
    c.abar.push_back(c.a[k] + draw(0, 8));
    c.d.push_back(draw(0, 7));
    c.uf.push_back(draw(1, 9));
    c.ub.push_back(draw(1, 9));
    c.of.push_back(draw(0, 3));
    c.ob.push_back(draw(0, 3));
  }
  return c;
}

ChainSchedule solve(const HeterogeneousChain &c, int64_t budget,
                    const char *solver = "") {
  ChainOptions o;
  o.budget = budget;
  o.solver = solver;
  ChainSchedule s = leastChainCost(c, o);
  if (isAnswered(s.status)) {
    const ChainReplay r = verifyChain(c, s.moves, budget);
    EXPECT_TRUE(r.verdict.ok()) << r.verdict.message;
    EXPECT_EQ(r.cost, s.cost);
    EXPECT_EQ(r.peak, s.peak);
    EXPECT_LE(s.bound, s.cost);
  }
  return s;
}

std::string ruleOf(const HeterogeneousChain &c,
                   const std::vector<ChainMove> &moves,
                   std::optional<int64_t> budget = std::nullopt) {
  return verifyChain(c, moves, budget).verdict.rule;
}

} // namespace

TEST(HeterogeneousChain, H1_and_H2_lists_fit_together) {
  HeterogeneousChain c = knownChains()[0].chain;
  EXPECT_TRUE(checkChain(c).ok());
  c.ub.pop_back();
  EXPECT_EQ(checkChain(c).rule, "H1");
  c = knownChains()[0].chain;
  c.uf[2] = -1;
  EXPECT_EQ(checkChain(c).rule, "H1");
  c.uf[2] = INT64_MAX;
  EXPECT_EQ(checkChain(c).rule, "H1");
  c = knownChains()[0].chain;
  c.abar[3] = c.a[3] - 1;
  EXPECT_EQ(checkChain(c).rule, "H2");
  EXPECT_EQ(checkChain({}).rule, "H1");
}

TEST(HeterogeneousChain, H3_to_H7_moves_are_judged) {
  using K = ChainMoveKind;
  const HeterogeneousChain c = knownChains()[0].chain;
  EXPECT_EQ(ruleOf(c, {{K::Forward, 7}}), "H3");
  EXPECT_EQ(ruleOf(c, {{K::Save, 0}}), "H3");
  EXPECT_EQ(ruleOf(c, {{K::Forward, 2}}), "H4");
  EXPECT_EQ(ruleOf(c, {{K::Save, 1}, {K::Backward, 1}}), "H4");
  EXPECT_EQ(ruleOf(c, {{K::Forward, 1}, {K::Forward, 1}}), "H5");
  EXPECT_EQ(ruleOf(c, {{K::DropSaved, 1}}), "H5");
  // a0 and a1 are 5 and 2 units.
  EXPECT_EQ(ruleOf(c, {{K::Forward, 1}}, 6), "H6");
  EXPECT_EQ(ruleOf(c, {{K::Forward, 1}}, 7), "H7");
  EXPECT_EQ(ruleOf(c, {}, 4), "H6");
  EXPECT_EQ(ruleOf(c, keepAllSchedule(c)), "");
  EXPECT_EQ(verifyChain(c, keepAllSchedule(c)).cost, c.costOfOneRun());
}

TEST(HeterogeneousChain, optimum_of_known_chains_at_every_budget) {
  for (const KnownChain &known : knownChains()) {
    for (size_t i = 0; i < known.optimum.size(); ++i) {
      const int64_t budget = known.firstBudget + static_cast<int64_t>(i);
      const ChainSchedule s = solve(known.chain, budget);
      EXPECT_EQ(s.status, Status::Optimal) << known.name << " at " << budget;
      EXPECT_EQ(s.cost, known.optimum[i]) << known.name << " at " << budget;
      EXPECT_EQ(s.minBudget.value_or(-1), known.firstBudget);
    }
    EXPECT_EQ(solve(known.chain, known.firstBudget - 1).status,
              Status::Infeasible);
  }
}

TEST(HeterogeneousChain, rotor_is_the_published_optimum) {
  for (const KnownChain &known : knownChains())
    for (size_t i = 0; i < known.persistent.size(); ++i) {
      const int64_t budget = known.firstBudget + static_cast<int64_t>(i);
      EXPECT_EQ(solve(known.chain, budget, "rotor").cost, known.persistent[i])
          << known.name << " at " << budget;
    }
}

TEST(HeterogeneousChain, longer_chains_beat_persistent_schedules) {
  for (const KnownPersistent &known : knownPersistent()) {
    bool beaten = false;
    for (const auto &[budget, time] : known.times) {
      EXPECT_EQ(solve(known.chain, budget, "rotor").cost, time)
          << known.name << " at " << budget;
      const ChainSchedule s = solve(known.chain, budget, "nested-chain");
      EXPECT_LE(s.cost, time) << known.name << " at " << budget;
      beaten |= s.cost < time;
    }
    EXPECT_TRUE(beaten);
  }
}

TEST(HeterogeneousChain, search_agrees_with_dijkstra_over_single_moves) {
  graph::Random random(7);
  size_t infeasible = 0, recomputed = 0, beyondNested = 0;
  for (int i = 0; i < 120; ++i) {
    const HeterogeneousChain c = randomChain(random, 2 + random.below(3));
    ASSERT_TRUE(checkChain(c).ok());
    const int64_t most = verifyChain(c, keepAllSchedule(c)).peak;
    const int64_t least = chainBudgetRange(c).first - 2;
    const int64_t budget =
        least + static_cast<int64_t>(random.below(most - least + 1));
    const int64_t truth = leastTime(c, budget);
    const ChainSchedule s = solve(c, budget);
    if (truth == kNever) {
      EXPECT_EQ(s.status, Status::Infeasible) << i;
      ++infeasible;
      continue;
    }
    EXPECT_EQ(s.status, Status::Optimal) << i;
    EXPECT_EQ(s.cost, truth) << i << " at " << budget;
    recomputed += truth > c.costOfOneRun();
    const ChainSchedule nested = solve(c, budget, "nested-chain");
    if (nested.status == Status::Feasible)
      EXPECT_GE(nested.cost, truth);
    beyondNested += nested.cost != truth;
    // By itself, without the answers of the dynamic programs.
    const ChainSchedule alone = solve(c, budget, "chain-search");
    EXPECT_EQ(alone.status, Status::Optimal);
    EXPECT_EQ(alone.cost, truth);
  }
  EXPECT_GT(infeasible, 5u);
  EXPECT_GT(recomputed, 30u);
  RecordProperty("beyond_nested", static_cast<int>(beyondNested));
}

TEST(HeterogeneousChain, budget_range_holds) {
  graph::Random random(11);
  for (int i = 0; i < 60; ++i) {
    const HeterogeneousChain c = randomChain(random, 2 + random.below(4));
    const auto [least, enough] = chainBudgetRange(c);
    EXPECT_LE(least, enough);
    ChainSearchOptions o;
    o.budget = enough;
    EXPECT_EQ(chainSearch(c, o).status, Status::Optimal) << i;
    o.budget = least - 1;
    EXPECT_EQ(chainSearch(c, o).status, Status::Infeasible) << i;
  }
}

TEST(HeterogeneousChain, a_search_cut_off_gives_a_bound) {
  const HeterogeneousChain &c = knownPersistent()[1].chain;
  ChainSearchOptions o;
  o.budget = 40;
  o.effort = 100;
  const ChainSchedule s = chainSearch(c, o);
  EXPECT_EQ(s.status, Status::Unknown);
  EXPECT_GT(s.bound, c.costOfOneRun());
  EXPECT_LE(s.bound, solve(c, 40, "nested-chain").cost);
  const graph::StopSign up{graph::Limits(1)};
  while (!up.isUp()) {
  }
  NestedChainOptions n;
  n.budget = 40;
  n.stop = &up;
  EXPECT_TRUE(nestedChain(c, n).limited);
  // Functions that take more than there is.
  const graph::StopSign small{graph::Limits(0, 1000)};
  n.stop = &small;
  EXPECT_TRUE(nestedChain(c, n).limited);
  n.stop = nullptr;
  EXPECT_FALSE(nestedChain(c, n).limited);
}

TEST(HeterogeneousChain, functions_thinned_out_still_give_schedules) {
  const HeterogeneousChain &c = knownPersistent()[1].chain;
  for (const size_t window : {0u, 1u, 3u}) {
    NestedChainOptions o;
    o.budget = 60;
    o.window = window;
    o.points = 8;
    const ChainSchedule s = nestedChain(c, o);
    ASSERT_EQ(s.status, Status::Feasible);
    EXPECT_TRUE(verifyChain(c, s.moves, 60).verdict.ok());
  }
}

TEST(HeterogeneousChain, moves_round_trip_as_text) {
  const HeterogeneousChain c = knownChains()[0].chain;
  const std::vector<ChainMove> moves = solve(c, 35).moves;
  const ParsedChainMoves read = readChainMoves(writeChainMovesJson(moves));
  ASSERT_TRUE(read.moves) << read.error;
  EXPECT_EQ(*read.moves, moves);
  for (const char *bad : {"[[\"compute\",\"a1\"]]", "[[\"compute\",\"F\"]]",
                          "[[\"drop\",\"a1\",1]]", "[[\"compute\"]]", "7",
                          "{\"moves\": 1}", "[[\"compute\",\"F1x\"]]"})
    EXPECT_FALSE(readChainMoves(bad).moves) << bad;
}
