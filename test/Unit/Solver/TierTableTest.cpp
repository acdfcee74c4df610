//===- TierTableTest.cpp - two-tier schedules in small tables -------------===//

#include "ChainBruteForce.h"

#include "pebble/Solver/Chain/Binomial.h"
#include "pebble/Solver/Chain/Periodic.h"
#include "pebble/Solver/Chain/TierTable.h"
#include "pebble/Solver/Chain/TieredChain.h"

#include <gtest/gtest.h>
#include <random>

using namespace pebble;
using namespace pebble::chain;

namespace {

std::string nameOf(const TwoTiers &c) {
  return "n=" + std::to_string(c.steps) + " slots " + std::to_string(c.slots) +
         " slow " + std::to_string(c.slowSlots.value_or(-1)) + " costs " +
         std::to_string(c.forward) + " " + std::to_string(c.store) + " " +
         std::to_string(c.load);
}

/// Reverses a chain as its table says, with states that are their numbers, and
/// counts. Fails where a backward step does not find its state.
class Follower {
public:
  Follower(const TierTable &table, const TwoTiers &chain)
      : table(table), chain(chain), fastSlots(chain.slots - 1) {}

  TierCounts run() {
    slow.push_back({0, table.start});
    read();
    sum.storesFirst = sum.stores;
    sum.loads = 0;
    for (next = chain.steps; next > 0;) {
      --next;
      EXPECT_EQ(working, next) << nameOf(chain);
      if (!fast.empty() && fast.back() == next)
        fast.pop_back();
      if (next == 0)
        break;
      if (fast.empty()) {
        read();
      } else {
        working = fast.back();
        sweep();
      }
    }
    EXPECT_LE(mostSlow, table.slowSlots) << nameOf(chain);
    EXPECT_LE(mostFast, std::max<int64_t>(fastSlots, 0)) << nameOf(chain);
    return sum;
  }

private:
  struct Stored {
    int64_t at, run;
  };

  void advance(int64_t to) {
    EXPECT_LE(working, to) << nameOf(chain);
    sum.forwards += to - working;
    working = to;
  }

  /// Goes on from the latest state in the slower tier, or the first state.
  void read() {
    Stored &base = slow.back();
    sum.loads += slow.size() > 1;
    working = base.at;
    const TierTable::Row run = table.rows[base.run];
    const int64_t target = next < 0 ? chain.steps : next;
    const int64_t lead = target - base.at - run[0];
    if (lead == 0)
      slow.pop_back();
    else if (lead == run[2])
      ++base.run;
    advance(working + lead);
    const TierTable::Row plan = table.rows[run[1]];
    int64_t push = plan[0];
    for (int64_t i = 1; i <= plan[1]; ++i) {
      slow.push_back({working, table.rows[push][1]});
      ++sum.stores;
      mostSlow = std::max<int64_t>(mostSlow, slow.size() - 1);
      advance(working + table.rows[push][0]);
      push += table.rows[push][2] == i;
    }
    EXPECT_EQ(target - working, plan[2]) << nameOf(chain);
    if (plan[2] > 1)
      hold();
    sweep();
  }

  void hold() {
    fast.push_back(working);
    mostFast = std::max<int64_t>(mostFast, fast.size());
  }

  /// Goes on from the latest state in tier 0 to that before the last step.
  void sweep() {
    const int64_t target = (next < 0 ? chain.steps : next) - 1;
    while (target - working >= 1) {
      const int64_t free = fastSlots - static_cast<int64_t>(fast.size()) + 1;
      ASSERT_GE(free, 1) << nameOf(chain);
      if (free == 1) {
        advance(target);
        return;
      }
      advance(working + binomialSplit(target - working + 1, free));
      if (working < target)
        hold();
    }
  }

  const TierTable &table;
  const TwoTiers &chain;
  int64_t fastSlots, next = -1, working = 0, mostSlow = 0, mostFast = 0;
  std::vector<Stored> slow;
  std::vector<int64_t> fast;
  TierCounts sum;
};

/// What a table says of itself is so.
void expectFollowed(const TierTable &table, const TwoTiers &chain) {
  const TierCounts counts = Follower(table, chain).run();
  EXPECT_EQ(counts.forwards, table.counts.forwards) << nameOf(chain);
  EXPECT_EQ(counts.stores, table.counts.stores) << nameOf(chain);
  EXPECT_EQ(counts.storesFirst, table.counts.storesFirst) << nameOf(chain);
  EXPECT_EQ(counts.loads, table.counts.loads) << nameOf(chain);
}

/// The cost, or -1.
int64_t solved(const TwoTiers &chain, std::optional<int64_t> longest = {}) {
  const std::optional<TierTable> table =
      longest ? solveTwoTiers(chain, *longest) : solveTwoTiers(chain);
  if (!table)
    return -1;
  expectFollowed(*table, chain);
  EXPECT_EQ(table->counts.cost(chain), table->cost) << nameOf(chain);
  EXPECT_LE(table->bound, table->cost) << nameOf(chain);
  if (chain.slowSlots) {
    EXPECT_LE(table->slowSlots, *chain.slowSlots) << nameOf(chain);
  }
  return table->cost;
}

ChainGame gameOf(const TwoTiers &chain) {
  ChainGame game;
  game.rules.name = "revolve";
  game.rules.slides = game.rules.pinned = true;
  game.steps = chain.steps;
  game.fastSlots = chain.slots;
  game.forward = chain.forward;
  game.backward = 0;
  game.tiers.push_back({chain.store, chain.load, chain.slowSlots});
  return game;
}

TEST(TierTable, costs_what_the_best_schedule_of_all_does) {
  std::mt19937 random(5);
  auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int i = 0; i < 300; ++i) {
    TwoTiers chain;
    chain.steps = draw(1, 7);
    chain.slots = draw(1, 3);
    if (draw(0, 2) > 0)
      chain.slowSlots = draw(0, 3);
    chain.forward = draw(1, 4);
    chain.store = draw(0, 6);
    chain.load = draw(0, 6);
    const int64_t least = test::ChainBruteForce(gameOf(chain)).leastCost();
    EXPECT_EQ(solved(chain), least) << nameOf(chain);
    EXPECT_EQ(boundTwoTiers(chain), least) << nameOf(chain);
  }
}

TEST(TierTable, costs_what_the_dynamic_program_does) {
  std::mt19937 random(6);
  auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  for (int i = 0; i < 60; ++i) {
    TwoTiers chain;
    chain.steps = draw(1, 900);
    chain.slots = draw(1, 8);
    if (draw(0, 1) > 0)
      chain.slowSlots = draw(0, 9);
    chain.forward = draw(1, 3);
    chain.store = draw(0, 40);
    chain.load = draw(0, 40);
    EXPECT_EQ(solved(chain), TieredChain(gameOf(chain)).cost())
        << nameOf(chain);
  }
}

TEST(TierTable, is_no_longer_for_long_chains) {
  TwoTiers chain;
  chain.slots = 3;
  chain.store = 4;
  chain.load = 2;
  std::vector<size_t> rows;
  for (int64_t steps : {1000, 10000, 100000, 1000000, 1000000000}) {
    chain.steps = steps;
    const std::optional<TierTable> table = solveTwoTiers(chain);
    ASSERT_TRUE(table) << steps;
    rows.push_back(table->rows.size());
    EXPECT_LT(static_cast<double>(table->cost - table->bound), 60) << steps;
  }
  for (size_t count : rows)
    EXPECT_LE(count, 24U);
}

TEST(TierTable, puts_more_segments_where_no_table_reaches) {
  std::mt19937 random(7);
  auto draw = [&](int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random);
  };
  int known = 0;
  for (int i = 0; i < 60; ++i) {
    TwoTiers chain;
    chain.steps = draw(600, 3000);
    chain.slots = draw(1, 5);
    chain.forward = draw(1, 2);
    chain.store = draw(0, 10);
    chain.load = draw(0, 10);
    const std::optional<TierTable> table = solveTwoTiers(chain, 500);
    if (!table)
      continue;
    ++known;
    const int64_t least = TieredChain(gameOf(chain)).cost();
    EXPECT_EQ(solved(chain, 500), least) << nameOf(chain);
    EXPECT_LE(table->bound, least) << nameOf(chain);
  }
  EXPECT_GT(known, 40);
}

TEST(TierTable, bounds_what_it_cannot_solve) {
  // A million steps in three slots and five slow ones.
  TwoTiers chain{1000000, 3, 5, 2, 7, 9};
  EXPECT_FALSE(solveTwoTiers(chain));
  EXPECT_GE(boundTwoTiers(chain), 2 * *binomialCost(1000000, 8));
}

TEST(TierTable, segments_serve_all_lengths) {
  const TwoTiers chain{1, 3, std::nullopt, 1, 4, 2};
  const std::optional<TierSegments> segments = findTierSegments(chain);
  ASSERT_TRUE(segments);
  // What is saved by one segment more shows at the longest rest.
  EXPECT_GE(segments->mostRest, segments->length);
  TwoTiers part = chain;
  for (int64_t steps : {0, 1, 2, 20, 5000, 5001, 5007, 5016}) {
    part.steps = steps;
    const std::optional<TierTable> table = makeSegmentTable(*segments, steps);
    ASSERT_TRUE(table);
    expectFollowed(*table, part);
    if (steps < 1)
      continue;
    const std::optional<TierTable> best = solveTwoTiers(part);
    ASSERT_TRUE(best);
    EXPECT_GE(*table->counts.cost(part), best->cost);
    EXPECT_LE(*table->counts.cost(part), best->cost + 10) << steps;
  }
}

TEST(TierTable, periods_cost_what_periodic_checkpointing_does) {
  for (int64_t steps = 1; steps < 60; ++steps)
    for (int64_t period = 1; period < 20; ++period)
      for (int64_t slots : {1, 3, 19}) {
        const std::optional<TierTable> table =
            makeSegmentTable(makePeriods(period, slots), steps);
        ASSERT_TRUE(table);
        TwoTiers chain{steps, slots + 1, std::nullopt, 3, 5, 2};
        expectFollowed(*table, chain);
        // The first state is there anyway.
        const PeriodicChain policy{steps, slots, 3, 5, 2, std::nullopt};
        EXPECT_EQ(*table->counts.cost(chain) + (steps > period ? 7 : 0),
                  periodicCost(policy, period))
            << nameOf(chain);
      }
}

} // namespace
