//===- FormatsTest.cpp - what is read is what was written -----------------===//

#include "pebble/Solver/Game/Formats.h"

#include "SparseParity.h"

#include <gtest/gtest.h>

using namespace pebble;
using namespace pebble::game;

namespace {

const char *const small = R"({"name": "small", "graph_inputs": ["x"],
  "ops": [{"name": "a", "inputs": ["x"], "size": 3, "cost": 2},
          {"name": "b", "inputs": ["a", "a", "x"], "size": 4}],
  "outputs": ["b"]})";

const char *const layered = R"({"graph": {"order": [2, 0, 1]},
  "nodes": [{"name": 0, "out_cost": 5, "duration": 1},
            {"name": 1, "out_cost": 6, "duration": 2},
            {"name": 2, "out_cost": 7, "duration": 3}],
  "links": [{"0": 0, "1": 1}, {"0": 2, "1": 1}]})";

std::string errorOf(const std::string &text) { return readProblem(text).error; }

/// `text` with the first `from` replaced.
std::string with(std::string text, const std::string &from,
                 const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST(Formats, NativeRoundTrip) {
  Problem p = test::sparseParity();
  p.hierarchy.tiers.resize(2);
  p.hierarchy.tiers[0] = {"l1", TierKind::Cache, 64, 1, 2, 3, 4};
  p.hierarchy.tiers[1].name = "hbm";
  p.hierarchy.inclusion = Inclusion::Inclusive;
  p.precedences.push_back({0, 5, DependenceKind::Effect, kNone});
  p.precedences.push_back({1, 6, DependenceKind::Output, 2});
  p.steps[1].scratch = 11;
  p.steps[1].cost = 12;
  p.steps[2].pin = Pin::Offload;
  p.values[3].offloadable = false;
  std::string text = writeProblemJson(p);
  ParsedProblem again = readProblem(text);
  ASSERT_TRUE(again.problem) << again.error;
  EXPECT_EQ(again.format, Format::Native);
  EXPECT_EQ(writeProblemJson(*again.problem), text);
  EXPECT_TRUE(check(*again.problem).ok());
  EXPECT_EQ(again.problem->steps[2].pin, Pin::Offload);
  EXPECT_EQ(again.problem->hierarchy.tiers[0].capacity, 64);
  EXPECT_EQ(again.problem->hierarchy.tiers[1].capacity, kUnbounded);
  EXPECT_FALSE(again.problem->steps[11].recomputable);
}

TEST(Formats, UpdatesThatNeedNotBeInPlaceRoundTrip) {
  Problem p = test::sparseParity();
  const auto update =
      std::find_if(p.values.begin(), p.values.end(),
                   [](const Value &v) { return v.overwrites != kNone; });
  ASSERT_NE(update, p.values.end());
  const Id id = update - p.values.begin();
  std::vector<std::string> runOnce(p.steps.size());
  runOnce[0] = "somebody says so";
  const std::string text = writeProblemJson(p, {{id, true, 7}}, runOnce);
  const ParsedProblem again = readProblem(text);
  ASSERT_TRUE(again.problem) << again.error;
  ASSERT_EQ(again.updates.size(), 1u);
  EXPECT_EQ(again.updates[0].value, id);
  EXPECT_TRUE(again.updates[0].copies);
  EXPECT_EQ(again.updates[0].copyCost, 7);
  // In the problem it is in place, and its step runs once.
  EXPECT_FALSE(again.problem->steps[update->producer].recomputable);
  ASSERT_EQ(again.runOnce.size(), p.steps.size());
  EXPECT_FALSE(again.runOnce[0].empty());
  EXPECT_TRUE(again.runOnce[update->producer].empty());
  EXPECT_EQ(writeProblemJson(*again.problem, again.updates, again.runOnce),
            text);
  // Without such updates nothing is said of steps besides.
  EXPECT_TRUE(readProblem(writeProblemJson(p)).runOnce.empty());
}

TEST(Formats, RepeatedNamesAreToldApart) {
  Problem p = test::sparseParity();
  for (Step &s : p.steps)
    s.name = "op";
  ParsedProblem again = readProblem(writeProblemJson(p));
  ASSERT_TRUE(again.problem) << again.error;
  EXPECT_EQ(again.problem->steps[2].name, "op#2");
}

TEST(Formats, OpsInstances) {
  ParsedProblem parsed = readProblem(small);
  ASSERT_TRUE(parsed.problem) << parsed.error;
  EXPECT_EQ(parsed.format, Format::Ops);
  const Problem &p = *parsed.problem;
  EXPECT_TRUE(check(p).ok());
  ASSERT_EQ(p.steps.size(), 2u);
  EXPECT_EQ(p.steps[1].reads.size(), 3u);
  EXPECT_EQ(p.steps[0].cost, 2);
  EXPECT_TRUE(p.values[2].required);
  EXPECT_FALSE(p.values[1].required);
  EXPECT_EQ(p.storages[0].footprint, 0);
  Replay r = verify(p, scheduleOfOrder(p, givenOrder(p)));
  EXPECT_EQ(r.peak[0], 7);
}

TEST(Formats, NodeLinkGraphs) {
  ParsedProblem parsed = readProblem(layered);
  ASSERT_TRUE(parsed.problem) << parsed.error;
  EXPECT_EQ(parsed.format, Format::NodeLink);
  const Problem &p = *parsed.problem;
  EXPECT_EQ(p.steps[0].name, "2");
  EXPECT_EQ(p.steps[0].cost, 3);
  // Node 1 reads 0 and then 2, as the edges are listed.
  ASSERT_EQ(p.steps[2].reads.size(), 2u);
  EXPECT_EQ(p.values[p.steps[2].reads[0].value].name, "0");
  for (const Value &v : p.values)
    EXPECT_FALSE(v.required);
  ParsedProblem real = readProblem(R"({"nodes": [
     {"name": "conv", "id": 0, "cost_ram": 8, "cost_cpu": 2},
     {"name": "pool", "id": 1, "cost_ram": 4, "cost_cpu": 1}],
     "links": [{"source": 0, "target": 1}]})");
  ASSERT_TRUE(real.problem) << real.error;
  EXPECT_EQ(real.problem->steps[1].name, "1");
  EXPECT_EQ(real.problem->storages[1].footprint, 4);
}

TEST(Formats, ErrorsNameTheField) {
  EXPECT_NE(errorOf("{").find("json: "), std::string::npos);
  EXPECT_NE(errorOf("[]").find("json: "), std::string::npos);
  EXPECT_NE(errorOf("{}").find("none of the fields"), std::string::npos);
  EXPECT_NE(errorOf(R"({"chain": {}})").find("chain with saved internals"),
            std::string::npos);
  EXPECT_EQ(errorOf(with(small, "\"size\": 3", "\"size\": -3")),
            "ops[0].size: is negative");
  EXPECT_EQ(errorOf(with(small, "\"size\": 3", "\"size\": \"big\"")),
            "ops[0].size: is not a number");
  EXPECT_EQ(errorOf(with(small, "\"size\": 3", "\"size\": 1.5")),
            "ops[0].size: is not a whole number in range");
  EXPECT_EQ(
      errorOf(with(small, "\"size\": 3", "\"size\": 18446744073709551615")),
      "ops[0].size: is out of range");
  EXPECT_EQ(errorOf(with(small, "\"size\": 3,", "")),
            "ops[0].size: is missing");
  EXPECT_EQ(
      errorOf(with(small, "\"outputs\": [\"b\"]", "\"outputs\": [\"q\"]")),
      "outputs[0]: there is no op or graph input 'q'");
  EXPECT_EQ(errorOf(with(small, "[\"x\"], \"size\"", "[7], \"size\"")),
            "ops[0].inputs[0]: there is no op or graph input '7'");
  EXPECT_EQ(errorOf(with(small, "\"name\": \"b\"", "\"name\": \"a\"")),
            "ops[1].name: op or graph input 'a' exists twice");
  EXPECT_EQ(errorOf(with(small, "{\"name\": \"a\"", "17, {\"name\": \"a\"")),
            "ops[0]: is not an object");
  EXPECT_EQ(errorOf(with(layered, "[2, 0, 1]", "[2, 0, 0]")),
            "graph.order[2]: lists a node twice");
  EXPECT_EQ(errorOf(with(layered, "[2, 0, 1]", "[2, 0]")),
            "graph.order: does not list every node");
  EXPECT_EQ(errorOf(with(layered, "\"1\": 1}", "\"1\": 8}")),
            "links[0].1: there is no node '8'");
}

TEST(Formats, NativeErrorsNameTheField) {
  std::string text = writeProblemJson(test::sparseParity());
  EXPECT_EQ(errorOf(with(text, "\"initial\": true", "\"initial\": 1")),
            "storages[0].initial: is neither true nor false");
  EXPECT_EQ(errorOf(with(text, "\"storage\": \"W1\"", "\"storage\": \"Z\"")),
            "values[0].storage: there is no storage 'Z'");
  EXPECT_EQ(errorOf(with(text, "\"cost\": 0", "\"pin\": \"no\"")),
            "steps[0].pin: is none of none, keep, recompute, offload");
}

TEST(Formats, CyclesAreLeftToTheJudge) {
  ParsedProblem parsed =
      readProblem(with(small, "\"inputs\": [\"x\"]", "\"inputs\": [\"b\"]"));
  ASSERT_TRUE(parsed.problem) << parsed.error;
  EXPECT_EQ(check(*parsed.problem).rule, "G8");
}

TEST(Formats, MovesRoundTrip) {
  Problem p = *readProblem(small).problem;
  auto moves = scheduleOfOrder(p, givenOrder(p));
  moves.push_back({MoveKind::Store, 2, 1});
  moves.push_back({MoveKind::Load, 2, 1});
  std::string text = writeMovesJson(p, moves);
  EXPECT_EQ(text, R"([["compute","a"],["compute","b"],["drop","a",0],)"
                  R"(["store","b",1],["load","b",1]])");
  for (const std::string &form :
       {text, "{\"moves\": " + text + "}", "{\"schedule\": " + text + "}"}) {
    ParsedMoves again = readMoves(p, form);
    ASSERT_TRUE(again.moves) << again.error;
    EXPECT_EQ(writeMovesJson(p, *again.moves), text);
  }
}

TEST(Formats, MoveErrorsNameTheMove) {
  Problem p = *readProblem(small).problem;
  auto errorOfMoves = [&](const char *text) {
    return readMoves(p, text).error;
  };
  EXPECT_EQ(errorOfMoves(R"([["compute", "q"]])"),
            "moves[0]: there is no step 'q'");
  EXPECT_EQ(errorOfMoves(R"([["compute", "a"], ["fly", "a"]])"),
            "moves[1]: is none of compute, store, load and drop");
  EXPECT_EQ(errorOfMoves(R"([["drop", "a"]])"),
            "moves[0]: a drop names a value and a tier");
  EXPECT_EQ(errorOfMoves(R"([["drop", "a", -1]])"), "moves[0]: is negative");
  EXPECT_EQ(errorOfMoves(R"([{}])"), "moves[0]: is not a move");
  EXPECT_EQ(errorOfMoves("7"), "json: is neither an object nor a list");
  EXPECT_EQ(errorOfMoves("{}"), "moves: is missing");
}

TEST(Formats, TextForPeople) {
  std::string text = writeProblemText(test::sparseParity());
  EXPECT_NE(text.find("11 upd_W1(W1, dW1) -> W1' over W1 required cost 0 once"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("initial x 80 pinned"), std::string::npos);
}

} // namespace
