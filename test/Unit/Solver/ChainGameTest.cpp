//===- ChainGameTest.cpp - the judge of the game on a chain ---------------===//
//
// One test for each rule of docs/solvers/TieredChain.md that breaks it.
//
//===----------------------------------------------------------------------===//

#include "ChainGames.h"

#include "pebble/Solver/Chain/ChainGame.h"

#include <gtest/gtest.h>

using namespace pebble::chain;
using pebble::test::gameOf;

namespace {

GameReplay replayOf(const ChainGame &g, const std::string &moves) {
  const ParsedGameMoves parsed = readGameMoves(moves);
  EXPECT_EQ(parsed.error, "");
  return verifyGame(g, parsed.moves.value_or(std::vector<GameMove>()));
}

/// The rules that break, each with the move.
std::string brokenOf(const ChainGame &g, const std::string &moves) {
  std::string text;
  for (const BrokenRule &b : replayOf(g, moves).broken)
    text += (text.empty() ? "" : " ") + b.rule + "@" + std::to_string(b.at) +
            (b.count > 1 ? "x" + std::to_string(b.count) : "");
  return text;
}

const SlowTier kSlow{3, 2, std::nullopt};

} // namespace

TEST(ChainGame, a_whole_schedule) {
  const GameReplay r = replayOf(
      gameOf("seed", 2, 3, {kSlow}),
      R"([["compute","F1"],["store","N1",1],["compute","F2"],["compute","B2"],
          ["drop","N2",0],["drop","N1",0],["load","N1",1],["compute","B1"]])");
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.cost, 9);
  EXPECT_EQ(r.peak, (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(r.stores, (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(r.loads, (std::vector<int64_t>{0, 1}));
}

TEST(ChainGame, C1_ops_values_and_tiers_exist) {
  const ChainGame g = gameOf("seed", 1, 3, {kSlow});
  const std::string rest = R"(,["compute","F1"],["compute","B1"]])";
  EXPECT_EQ(brokenOf(g, R"([["compute","F2"])" + rest), "C1@0");
  EXPECT_EQ(brokenOf(g, R"([["compute","B0"])" + rest), "C1@0");
  EXPECT_EQ(brokenOf(g, R"([["compute","L"])" + rest), "C1@0");
  EXPECT_EQ(brokenOf(g, R"([["store","N2",1])" + rest), "C1@0");
  EXPECT_EQ(brokenOf(g, R"([["store","N0",2])" + rest), "C1@0");
  EXPECT_EQ(brokenOf(g, R"([["store","N0",0])" + rest), "C1@0");
  EXPECT_EQ(brokenOf(g, R"([["drop","A1",0])" + rest), "C1@0");
}
TEST(ChainGame, C2_what_an_op_reads_is_there) {
  EXPECT_EQ(brokenOf(gameOf("seed", 1, 3), R"([["compute","B1"]])"), "C2@0");
  EXPECT_EQ(brokenOf(gameOf("revolve", 1, 3), R"([["compute","B1"]])"), "");
  EXPECT_EQ(brokenOf(gameOf("revolve", 2, 3),
                     R"([["compute","B1"],["compute","F1"],["compute","B2"]])"),
            "C2@0");
  EXPECT_EQ(brokenOf(gameOf("dag_prev", 1, 4), R"([["compute","B1"]])"),
            "C2@0");
}
TEST(ChainGame, C3_a_result_is_not_there_yet) {
  EXPECT_EQ(brokenOf(gameOf("seed", 1, 3),
                     R"([["compute","F1"],["compute","F1"],["compute","B1"]])"),
            "C3@1");
  EXPECT_EQ(brokenOf(gameOf("revolve", 1, 3),
                     R"([["compute","B1"],["compute","B1"]])"),
            "C3@1");
}
TEST(ChainGame, C4_what_is_stored_is_in_tier_0_alone) {
  EXPECT_EQ(brokenOf(gameOf("revolve", 1, 3, {kSlow}),
                     R"([["store","N1",1],["compute","B1"]])"),
            "C4@0");
  EXPECT_EQ(brokenOf(gameOf("revolve", 1, 3, {kSlow}),
                     R"([["store","N0",1],["store","N0",1],["compute","B1"]])"),
            "C4@1");
}
TEST(ChainGame, C5_what_is_loaded_is_in_the_slower_tier_alone) {
  EXPECT_EQ(brokenOf(gameOf("revolve", 1, 3, {kSlow}),
                     R"([["load","N1",1],["compute","B1"]])"),
            "C5@0");
  EXPECT_EQ(brokenOf(gameOf("revolve", 1, 3, {kSlow}),
                     R"([["store","N0",1],["load","N0",1],["compute","B1"]])"),
            "C5@1");
  ChainGame once = gameOf("revolve", 1, 3, {kSlow});
  const std::string twice =
      R"([["store","N0",1],["drop","N0",0],["load","N0",1],
          ["drop","N0",0],["load","N0",1],["compute","B1"]])";
  EXPECT_EQ(brokenOf(once, twice), "");
  once.readOnce = true;
  EXPECT_EQ(brokenOf(once, twice), "C5@4");
}
TEST(ChainGame, C6_what_is_dropped_is_there_and_may_go) {
  EXPECT_EQ(brokenOf(gameOf("revolve", 1, 3),
                     R"([["drop","N1",0],["compute","B1"]])"),
            "C6@0");
  EXPECT_EQ(brokenOf(gameOf("dag_prev_pinned", 1, 3),
                     R"([["drop","N0",0],["compute","F1"],["compute","L"],
                         ["drop","N1",0],["compute","B1"]])"),
            "C6@0");
}
TEST(ChainGame, C7_values_in_tier_0_fit) {
  EXPECT_EQ(
      brokenOf(gameOf("seed", 1, 1), R"([["compute","F1"],["compute","B1"]])"),
      "C7@0x2");
  // The place of the input, if it is dropped at once.
  const std::string slid = R"([["compute","F1"],["drop","N0",0],
                               ["compute","B2"]])";
  EXPECT_EQ(brokenOf(gameOf("revolve", 2, 1), slid), "C9@3");
  EXPECT_EQ(brokenOf(gameOf("prev_noslide", 2, 1), slid), "C7@0 C9@3");
  EXPECT_EQ(brokenOf(gameOf("revolve", 2, 1),
                     R"([["compute","F1"],["compute","B2"],["drop","N0",0]])"),
            "C7@0x2 C9@3");
  EXPECT_EQ(replayOf(gameOf("revolve", 2, 1), slid).peak[0], 1);
  EXPECT_EQ(brokenOf(gameOf("revolve", 2, 1), R"([["compute","F1"]])"),
            "C7@0 C9@1");
}
TEST(ChainGame, C8_values_in_slower_tiers_fit) {
  EXPECT_EQ(brokenOf(gameOf("seed", 1, 3, {{3, 2, 1}}),
                     R"([["compute","F1"],["store","N0",1],["store","N1",1],
                         ["compute","B1"]])"),
            "C8@2");
}
TEST(ChainGame, C9_every_backward_step_runs) {
  EXPECT_EQ(brokenOf(gameOf("seed", 1, 3), R"([["compute","F1"]])"), "C9@1");
}

TEST(ChainGame, a_seed_with_a_cost_has_to_run) {
  ChainGame g = gameOf("seed", 1, 3);
  g.seed = 5;
  EXPECT_EQ(brokenOf(g, R"([["compute","F1"],["compute","B1"]])"), "C2@1");
  const std::string all = R"([["compute","F1"],["compute","L"],
                              ["compute","B1"]])";
  EXPECT_EQ(brokenOf(g, all), "");
  EXPECT_EQ(replayOf(g, all).cost, 7);
}

TEST(ChainGame, moves_round_trip) {
  const std::string text =
      R"([["compute","F1"],["compute","L"],["compute","B12"],["store","N3",1],)"
      R"(["load","A3",2],["drop","A10",0]])";
  const ParsedGameMoves parsed = readGameMoves("{\"schedule\": " + text + "}");
  ASSERT_EQ(parsed.error, "");
  std::string again;
  for (const GameMove &m : *parsed.moves)
    again += (again.empty() ? "[" : ",") + toString(m);
  EXPECT_EQ(again + "]", text);
}

TEST(ChainGame, moves_that_are_none_are_named) {
  const std::pair<const char *, const char *> rows[] = {
      {"{}", "moves: is missing"},
      {"3", "json: is neither an object nor a list"},
      {R"([["compute"]])", "moves[0]: is not a move"},
      {R"([["compute","X1"]])",
       "moves[0][1]: 'X1' is none of the ops F1..Fn, L, Bn..B1"},
      {R"([["compute","F1",0]])", "moves[0]: has too many parts"},
      {R"([["hide","N1",0]])",
       "moves[0]: 'hide' is none of compute, store, load and drop"},
      {R"([["drop","F1",0]])",
       "moves[0][1]: 'F1' is none of the values N0..Nn, An..A0"},
      {R"([["drop","N1"]])", "moves[0]: names no tier"},
      {R"([["drop","N1",-1]])", "moves[0][2]: is negative"},
      {R"([["drop","N99999999999999999",0]])",
       "moves[0][1]: 'N99999999999999999' is none of the values N0..Nn, "
       "An..A0"}};
  for (const auto &[text, error] : rows)
    EXPECT_EQ(readGameMoves(text).error, error) << text;
}
