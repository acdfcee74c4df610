//===- ChainPoliciesTest.cpp - periodic, bisection, online ----------------===//

#include "DoubleCheckpointingTable.h"

#include "Solver/Chain/Online.h"
#include "pebble/Solver/Chain/ChainSolvers.h"
#include "pebble/Solver/Chain/Periodic.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::chain;
using game::Status;

namespace {

ChainGame hrevolve(int64_t steps, int64_t slots, int64_t transfer) {
  ChainGame g;
  g.rules = *findChainRules("hrevolve");
  g.steps = steps;
  g.fastSlots = slots;
  g.tiers = {{transfer, transfer, std::nullopt}};
  return g;
}

/// The cost of a policy, or -1, with its schedule judged as that of any solver.
int64_t solved(const ChainGame &g, const GameSolverOptions &options) {
  EXPECT_EQ(chainGameRefusal(g, options), "");
  const GameSolution s = solveChainGame(g, options);
  if (s.status == Status::Unknown)
    return -1;
  auto moves = s.moves();
  const GameReplay r = verifyGame(g, *moves);
  EXPECT_TRUE(r.ok()) << options.solver << " " << g.steps << ": "
                      << r.broken[0].message;
  EXPECT_EQ(r.cost, s.cost) << options.solver << " " << g.steps;
  EXPECT_GE(s.cost, solveChainGame(g).cost);
  return s.cost;
}

/// A loop that ends after some steps without having said so.
class Loop : public ActionStream {
public:
  Loop(int64_t steps, int64_t slots) : steps(steps), online(slots) {}
  bool next(Action &action) override {
    if (!ended && atStep && online.steps() == steps) {
      ended = true;
      online.finish();
    }
    const bool more = online.next(action);
    atStep = action.kind == ActionKind::Advance;
    return more;
  }

private:
  int64_t steps;
  OnlineActions online;
  bool ended = false, atStep = true;
};

} // namespace

TEST(Periodic, published_costs) {
  // The period is the published one, the reach of so many slots.
  const int64_t rows[][4] = {{3, 2, 4, 467},   {3, 5, 10, 530},
                             {3, 10, 20, 585}, {3, 100, 84, 895},
                             {2, 5, 10, 580},  {1, 100, 20, 2030}};
  for (const auto &[slots, transfer, period, cost] : rows) {
    const ChainGame g = hrevolve(100, slots, transfer);
    EXPECT_EQ(solved(g, {"periodic", period}), cost)
        << slots << " " << transfer;
    EXPECT_LE(solved(g, {"periodic", {}}), cost);
  }
}

TEST(Periodic, uniform_segments_of_double_checkpointing) {
  for (const test::DoubleCheckpointingRow &row : test::kDoubleCheckpointing)
    for (size_t i = 0; i < 6; ++i) {
      PeriodicChain chain;
      chain.steps = row.steps;
      chain.slots = row.local - 1;
      chain.store = chain.load = test::kRemoteCosts[i];
      // All states of a segment stay, and a segment is more than one state.
      const int64_t period = *bestPeriod(chain, 2, row.local);
      EXPECT_EQ(*periodicCost(chain, period) + row.steps, row.uniform[i])
          << row.steps << " " << row.local << " " << i;
    }
}

TEST(Periodic, streams_cost_what_the_closed_form_says) {
  for (int64_t n : {0, 1, 2, 9, 50})
    for (int64_t period : {1, 2, 7, 49, 50, 80})
      for (int64_t slots : {1, 3}) {
        PeriodicChain chain;
        chain.steps = n;
        chain.slots = slots;
        chain.forward = 3;
        chain.store = 5;
        chain.load = 7;
        PeriodicActions actions(n, slots, period);
        const ActionReplay r = replayActions(actions, n, {slots, n});
        ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
        EXPECT_EQ(r.advanced * 3 + r.snapshots[1] * 5 + r.restores[1] * 7,
                  periodicCost(chain, period))
            << n << " " << period;
        EXPECT_EQ(r.snapshots[1], periodicStores(n, period));
      }
}

TEST(Periodic, the_best_period_is_the_best) {
  PeriodicChain chain;
  for (int64_t n : {1, 10, 333})
    for (int64_t slots : {1, 4})
      for (int64_t transfer : {0, 3, 30}) {
        chain.steps = n;
        chain.slots = slots;
        chain.store = chain.load = transfer;
        const int64_t best = *periodicCost(chain, *bestPeriod(chain));
        for (int64_t period = 1; period <= n; ++period)
          EXPECT_LE(best, *periodicCost(chain, period));
      }
  chain.slowSlots = 3;
  EXPECT_GE(*bestPeriod(chain), 84);
  // Not every period is tried of a chain this long, but the one that is found
  // is sound.
  chain.steps = 1000000000;
  chain.slots = 50;
  chain.slowSlots = std::nullopt;
  EXPECT_LT(*periodicCost(chain, *bestPeriod(chain)),
            *binomialCost(chain.steps, 50));
}

TEST(Periodic, the_first_state_is_there_anyway) {
  PeriodicChain chain;
  for (int64_t n : {1, 2, 7, 60})
    for (int64_t transfer : {0, 3, 30}) {
      chain.steps = n;
      chain.slots = 3;
      chain.store = chain.load = transfer;
      auto cost = [&](int64_t period) {
        return *periodicCost(chain, period) - (period < n ? 2 * transfer : 0);
      };
      const int64_t best = cost(*bestPeriodFromPinned(chain));
      for (int64_t period = 1; period <= n; ++period)
        EXPECT_LE(best, cost(period)) << n << " " << transfer;
    }
}

TEST(Periodic, long_chains_settle_on_one_period) {
  for (int64_t slots : {1, 3, 10})
    for (int64_t transfer : {0, 1, 7, 100}) {
      PeriodicChain chain;
      chain.slots = slots;
      chain.store = chain.load = transfer;
      const int64_t steady = *steadyPeriod(chain);
      auto price = [&](int64_t period) {
        return static_cast<double>(period + *binomialCost(period, slots) +
                                   2 * transfer) /
               static_cast<double>(period);
      };
      for (int64_t period = 1; period < 2000; ++period)
        EXPECT_LE(price(steady), price(period)) << slots << " " << transfer;
    }
  PeriodicChain chain;
  chain.slots = 0;
  EXPECT_EQ(steadyPeriod(chain), 1);
}

TEST(Periodic, what_does_not_fit) {
  PeriodicChain chain;
  chain.steps = 10;
  chain.slots = 0;
  EXPECT_EQ(periodicCost(chain, 2), std::nullopt);
  EXPECT_EQ(periodicCost(chain, 1), 9);
  chain.slowSlots = 3;
  EXPECT_EQ(bestPeriod(chain), std::nullopt);
  chain.slots = 1;
  chain.steps = INT64_MAX;
  EXPECT_EQ(bestPeriod(chain), std::nullopt);
  ChainGame g = hrevolve(10, 0, 5);
  EXPECT_EQ(solved(g, {"periodic", 2}), -1);
  EXPECT_EQ(solved(g, {"online", {}}), -1);
  EXPECT_EQ(solved(hrevolve(100, 6, 1), {"bisection", {}}), -1);
  EXPECT_GT(solved(hrevolve(100, 7, 1), {"bisection", {}}), 0);
  EXPECT_NE(chainGameRefusal(g, {"periodic", 0}), "");
  EXPECT_NE(chainGameRefusal(g, {"online", 3}), "");
  g.rules = *findChainRules("seed");
  EXPECT_NE(chainGameRefusal(g, {"bisection", {}}), "");
}

TEST(Bisection, streams_cost_what_the_closed_form_says) {
  for (int64_t n = 0; n < 130; ++n) {
    BisectionActions actions(n);
    const ActionReplay r = replayActions(actions, n, {bisectionSlots(n)});
    ASSERT_TRUE(r.verdict.ok()) << n << ": " << r.verdict.message;
    EXPECT_EQ(r.advanced, bisectionCost(n)) << n;
    EXPECT_EQ(r.slots[0], bisectionSlots(n)) << n;
  }
  EXPECT_EQ(bisectionCost(1024), 5120);
  EXPECT_EQ(bisectionSlots(1024), 10);
}

TEST(Online, every_length_is_reversed_in_the_slots_given) {
  for (int64_t slots : {1, 2, 3, 7, 30})
    for (int64_t n = 0; n < 140; ++n) {
      Loop loop(n, slots);
      const ActionReplay r = replayActions(loop, n, {slots});
      ASSERT_TRUE(r.verdict.ok())
          << n << " in " << slots << ": " << r.verdict.message;
      EXPECT_EQ(r.backward, n);
      // The last forward step is part of the loop, not of a backward step.
      EXPECT_GE(r.advanced, n == 0 ? 0 : *binomialCost(n, slots) + 1);
      // Where every state has a slot nothing runs again.
      if (n <= slots)
        EXPECT_EQ(r.advanced, n);
    }
}

// No step runs more often than for a known length, and that is what it costs.
TEST(Online, no_step_runs_more_often_than_it_must) {
  for (int64_t slots : {1, 3, 7})
    for (int64_t n = 1; n < 200; ++n) {
      std::vector<int64_t> runs(static_cast<size_t>(n), 0);
      Loop loop(n, slots);
      for (Action a; loop.next(a);)
        for (int64_t i = a.from; a.kind == ActionKind::Advance && i < a.to; ++i)
          ++runs[static_cast<size_t>(i)];
      EXPECT_LE(*std::max_element(runs.begin(), runs.end()),
                binomialRepetitions(n, slots) + 1)
          << n << " in " << slots;
    }
}

TEST(Online, long_loops) {
  ChainGame g = hrevolve(200000, 20, 0);
  g.tiers.clear();
  const int64_t best = solveChainGame(g).cost;
  EXPECT_LT(solved(g, {"online", {}}), best + best / 10);
}
