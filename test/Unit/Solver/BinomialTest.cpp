//===- BinomialTest.cpp - Revolve's closed form and its stream ------------===//

#include "pebble/Solver/Chain/Binomial.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace pebble::chain;

namespace {

/// t(l, c) by its recurrence, for all l <= steps and c <= slots.
std::vector<std::vector<int64_t>> costTable(int64_t steps, int64_t slots) {
  std::vector<std::vector<int64_t>> t(
      slots + 1, std::vector<int64_t>(steps + 1, INT64_MAX / 4));
  for (auto &row : t)
    row[0] = row[1] = 0;
  for (int64_t c = 1; c <= slots; ++c)
    for (int64_t l = 2; l <= steps; ++l)
      for (int64_t j = 1; j < l; ++j)
        t[c][l] = std::min(t[c][l], j + t[c - 1][l - j] + t[c][j]);
  return t;
}

/// What the cut at floor(l * r / (r + c)) costs, which a widely used runtime
/// takes.
int64_t floorCutCost(int64_t l, int64_t c) {
  if (l <= 1)
    return 0;
  if (c == 1)
    return l * (l - 1) / 2;
  const int64_t r = binomialRepetitions(l, c);
  const int64_t j = std::max<int64_t>(l * r / (r + c), 1);
  return j + floorCutCost(l - j, c - 1) + floorCutCost(j, c);
}

/// A stream out of a list, for the judge.
class Listed : public ActionStream {
public:
  explicit Listed(std::vector<Action> actions) : actions(std::move(actions)) {}
  bool next(Action &action) override {
    if (at == actions.size())
      return false;
    action = actions[at++];
    return true;
  }

private:
  std::vector<Action> actions;
  size_t at = 0;
};

std::string ruleOf(std::vector<Action> actions, int64_t steps,
                   std::vector<int64_t> slots = {1}) {
  Listed stream(std::move(actions));
  return replayActions(stream, steps, slots).verdict.rule;
}

Action move(ActionKind kind, int64_t from, int64_t to = -1, int32_t tier = 0,
            int64_t slot = 0) {
  return {kind, from, to < 0 ? from : to, tier, slot};
}

} // namespace

TEST(Binomial, published_costs) {
  const int64_t rows[][3] = {
      {10, 3, 15},       {100, 3, 490},  {100, 5, 316},  {100, 9, 234},
      {100, 10, 222},    {101, 10, 225}, {250, 25, 473}, {1000, 10, 3636},
      {1000, 100, 1898}, {37, 7, 66}};
  for (const auto &[l, c, t] : rows)
    EXPECT_EQ(binomialCost(l, c), t) << l << ", " << c;
}

TEST(Binomial, the_closed_form_is_the_recurrence) {
  const auto t = costTable(90, 14);
  for (int64_t c = 1; c <= 14; ++c)
    for (int64_t l = 1; l <= 90; ++l) {
      ASSERT_EQ(binomialCost(l, c), t[c][l]) << l << ", " << c;
      if (l == 1)
        continue;
      const int64_t j = binomialSplit(l, c);
      EXPECT_EQ(j + t[c - 1][l - j] + t[c][j], t[c][l]) << l << ", " << c;
    }
}

TEST(Binomial, a_floor_cut_costs_more) {
  EXPECT_EQ(floorCutCost(37, 7), 68);
  EXPECT_EQ(binomialCost(37, 7), 66);
}

TEST(Binomial, work_grows_with_a_root_of_the_length) {
  // Forward steps for 10^3, 10^4, 10^5 and 10^6 steps, and the exponent of the
  // work of one step over the last decade, in hundredths.
  const struct {
    int64_t slots, costs[4], exponent;
  } rows[] = {{2, {28820, 932820, 29714304, 941809245}, 50},
              {3, {12155, 278730, 6176445, 134787105}, 34},
              {5, {6284, 112868, 1924980, 31940948}, 22},
              {10, {3636, 57624, 832040, 11647922}, 15}};
  for (const auto &row : rows) {
    int64_t steps = 1000;
    for (int64_t cost : row.costs) {
      EXPECT_EQ(binomialCost(steps, row.slots), cost);
      steps *= 10;
    }
    const double exponent = std::log10(static_cast<double>(row.costs[3]) /
                                       static_cast<double>(row.costs[2])) -
                            1;
    EXPECT_EQ(std::lround(100 * exponent), row.exponent);
    // The q-th root, and somewhat more while the chain is short for its slots.
    EXPECT_GE(exponent, 1.0 / static_cast<double>(row.slots));
    EXPECT_LE(exponent, 1.0 / static_cast<double>(row.slots) + 0.05);
  }
}

TEST(Binomial, streams_cost_what_the_closed_form_says) {
  for (int64_t c = 1; c <= 12; ++c)
    for (int64_t l = 0; l <= 70; ++l) {
      BinomialActions stream(l, c, 1, 5);
      const ActionReplay r = replayActions(stream, l, {0, c + 5});
      ASSERT_TRUE(r.verdict.ok())
          << l << ", " << c << ": " << r.verdict.message;
      EXPECT_EQ(r.advanced, binomialCost(l, c)) << l << ", " << c;
      EXPECT_EQ(r.backward, l);
      EXPECT_LE(r.slots[1], c);
    }
}

TEST(Binomial, one_step_needs_no_slot) {
  EXPECT_TRUE(BinomialActions::isPossible(1, 0));
  EXPECT_FALSE(BinomialActions::isPossible(2, 0));
  EXPECT_FALSE(BinomialActions::isPossible(-1, 3));
  BinomialActions stream(1, 0);
  EXPECT_EQ(replayActions(stream, 1, {}).verdict.message, "");
}

TEST(Binomial, long_chains_stream) {
  for (int64_t c : {3, 10, 50, 1000000}) {
    BinomialActions stream(1000000, c);
    const ActionReplay r = replayActions(stream, 1000000, {c});
    ASSERT_TRUE(r.verdict.ok()) << r.verdict.message;
    EXPECT_EQ(r.advanced, binomialCost(1000000, c));
  }
}

TEST(Binomial, a_billion_steps_start_at_once) {
  EXPECT_EQ(binomialCost(1000000000, 1), 499999999500000000);
  EXPECT_EQ(binomialCost(1000000000, 1000000000), 999999999);
  EXPECT_EQ(binomialCost(1000000000, 5000000000), 999999999);
  // r * l - beta(c + 1, r - 1) with r = 20: C(30, 10) = 30045015 < 1e9 needs
  // more, beta(10, 35) is the first that reaches.
  const int64_t r = binomialRepetitions(1000000000, 10);
  EXPECT_GE(binomialReach(10, r), 1000000000);
  EXPECT_LT(binomialReach(10, r - 1), 1000000000);
  for (int64_t c : {1, 10, 100, 1000000000}) {
    BinomialActions stream(1000000000, c);
    Action a;
    int64_t sweep = 0;
    // Down to the turn the first sweep runs every step but the last.
    for (int i = 0; i < 1000 && stream.next(a) && a.kind != ActionKind::Turn;
         ++i)
      if (a.kind == ActionKind::Advance)
        sweep += a.to - a.from;
    EXPECT_EQ(sweep, c == 1000000000 ? 500 : 999999999);
  }
}

TEST(Binomial, costs_beyond_64_bits_are_refused) {
  EXPECT_EQ(binomialCost(INT64_MAX, 1), std::nullopt);
  EXPECT_EQ(binomialCost(INT64_MAX, 2), std::nullopt);
  EXPECT_EQ(binomialCost(INT64_MAX, INT64_MAX), INT64_MAX - 1);
  EXPECT_EQ(binomialCost(5, 0), std::nullopt);
  EXPECT_EQ(binomialCost(-1, 3), std::nullopt);
  EXPECT_EQ(binomialReach(100, 100), INT64_MAX);
  EXPECT_EQ(binomialReach(INT64_MAX - 1, 1), INT64_MAX);
}

TEST(Actions, A1_states_exist) {
  EXPECT_EQ(ruleOf({move(ActionKind::Advance, 0, 3)}, 2), "A1");
  EXPECT_EQ(ruleOf({move(ActionKind::Advance, 1, 0)}, 2), "A1");
}
TEST(Actions, A2_working_state_is_the_one_named) {
  EXPECT_EQ(ruleOf({move(ActionKind::Advance, 1, 2)}, 2), "A2");
  EXPECT_EQ(ruleOf({move(ActionKind::Snapshot, 1)}, 2), "A2");
  EXPECT_EQ(
      ruleOf({move(ActionKind::Turn, 1, 2), move(ActionKind::Backward, 1)}, 2),
      "A2");
}
TEST(Actions, A3_slots_exist) {
  EXPECT_EQ(ruleOf({move(ActionKind::Snapshot, 0, -1, 0, 1)}, 2), "A3");
  EXPECT_EQ(ruleOf({move(ActionKind::Snapshot, 0, -1, 1, 0)}, 2), "A3");
}
TEST(Actions, A4_slots_hold_what_is_read) {
  EXPECT_EQ(ruleOf({move(ActionKind::Restore, 0)}, 2), "A4");
  EXPECT_EQ(
      ruleOf({move(ActionKind::Snapshot, 0), move(ActionKind::Snapshot, 0)}, 2),
      "A4");
  EXPECT_EQ(
      ruleOf({move(ActionKind::Snapshot, 0), move(ActionKind::Free, 1)}, 2),
      "A4");
}
TEST(Actions, A5_steps_are_reversed_in_order_after_one_turn) {
  EXPECT_EQ(ruleOf({move(ActionKind::Backward, 0)}, 1), "A5");
  EXPECT_EQ(
      ruleOf({move(ActionKind::Turn, 0, 1), move(ActionKind::Turn, 0, 1)}, 1),
      "A5");
  EXPECT_EQ(ruleOf({move(ActionKind::Turn, 0, 2)}, 2), "A5");
  EXPECT_EQ(
      ruleOf({move(ActionKind::Advance, 0, 1), move(ActionKind::Turn, 1, 2),
              move(ActionKind::Backward, 0)},
             2),
      "A5");
}
TEST(Actions, A6_every_step_is_reversed) {
  EXPECT_EQ(ruleOf({move(ActionKind::Turn, 0, 1)}, 1), "A6");
  EXPECT_EQ(
      ruleOf({move(ActionKind::Turn, 0, 1), move(ActionKind::Backward, 0)}, 1),
      "");
}
