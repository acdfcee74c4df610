//===- ChainGame.cpp - the pebble game on a chain, in pebble-solve --------===//
//
// The way of a chain of equal steps through the tool: check, solve, verify,
// print. Schedules are streams, since they may have more moves than fit into
// memory; no schedule is printed that the judge does not accept, and no cost
// without a replay, but for chains that are too long to be replayed, which the
// answer says.
//
//===----------------------------------------------------------------------===//

#include "ChainGame.h"

#include "Answer.h"
#include "Common.h"
#include "MixedGame.h"

#include "pebble/Solver/Chain/ChainSolvers.h"

#include <chrono>
#include <cstdio>

using namespace pebble;
using namespace pebble::chain;
using namespace pebble::solve_tool;
using game::Status;

namespace {

/// Steps of the longest chain whose moves are replayed, and most moves that are
/// printed.
constexpr int64_t kLongestReplayed = 10000000, kMostPrinted = 100000000;

/// The game asked for, or an error.
std::string readGame(const GameOptions &o, ChainGame &g) {
  if (!o.steps || !o.fastSlots || o.rules.empty())
    return "--chain needs --steps, --fast-slots and --rules";
  const std::optional<ChainRules> rules = findChainRules(o.rules);
  if (!rules) {
    std::string names;
    for (const ChainRules &r : chainRules())
      names += (names.empty() ? "" : ", ") + std::string(r.name);
    return "there are no rules '" + o.rules + "'; there are " + names;
  }
  if (o.storeCosts.size() != o.loadCosts.size())
    return "--store-cost and --load-cost have one number for each slower tier: "
           "there are " +
           std::to_string(o.storeCosts.size()) + " and " +
           std::to_string(o.loadCosts.size());
  if (o.slowSlots.size() > o.storeCosts.size())
    return "--slow-slots has more numbers than there are slower tiers with "
           "--store-cost and --load-cost";
  g.rules = *rules;
  g.steps = *o.steps;
  g.fastSlots = *o.fastSlots;
  g.forward = o.forwardCost;
  g.backward = o.backwardCost;
  g.seed = o.seedCost;
  g.readOnce = o.readOnce;
  for (size_t t = 0; t < o.storeCosts.size(); ++t) {
    g.tiers.push_back({o.storeCosts[t], o.loadCosts[t], std::nullopt});
    if (t < o.slowSlots.size())
      g.tiers.back().slots = o.slowSlots[t];
  }
  return chainGameError(g);
}

std::string listOf(const std::vector<int64_t> &numbers) {
  std::string text = "[";
  for (size_t i = 1; i < numbers.size(); ++i)
    text += (i > 1 ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

/// Whether the rule broke after the last move.
bool isAtEnd(const BrokenRule &b, size_t moves) {
  return b.at >= static_cast<int64_t>(moves);
}

int judge(const ChainGame &g, const Options &o) {
  std::string text;
  if (!readFile(o.verify, text))
    return fail(o.verify + ": cannot be read");
  if (g.steps > kLongestReplayed)
    return fail("schedules of more than " + std::to_string(kLongestReplayed) +
                " steps are not judged");
  const ParsedGameMoves parsed = readGameMoves(text);
  if (!parsed.moves)
    return fail(o.verify + ": " + parsed.error);
  const std::vector<GameMove> &moves = *parsed.moves;
  const GameReplay r = verifyGame(g, moves);
  for (const BrokenRule &b : r.broken) {
    const std::string at = isAtEnd(b, moves.size())
                               ? "at the end"
                               : "move " + std::to_string(b.at) + " " +
                                     toString(moves[static_cast<size_t>(b.at)]);
    const std::string times =
        b.count > 1 ? ", " + std::to_string(b.count) + " times" : "";
    std::cerr << "pebble-solve: " << o.verify << ": " << at << ": " << b.message
              << " [" << b.rule << times << "]\n";
  }
  auto moveOf = [&](const BrokenRule &b) {
    return isAtEnd(b, moves.size()) ? std::string("null")
                                    : std::to_string(b.at);
  };
  if (o.json) {
    std::cout << "{\"valid\": " << (r.ok() ? "true" : "false")
              << ", \"cost\": " << r.cost << ", \"peak\": " << r.peak[0]
              << ", \"stores\": " << listOf(r.stores)
              << ", \"loads\": " << listOf(r.loads);
    if (!r.ok()) {
      std::cout << ", \"rule\": \"" << r.broken[0].rule
                << "\", \"move\": " << moveOf(r.broken[0]) << ", \"broken\": [";
      for (size_t i = 0; i < r.broken.size(); ++i)
        std::cout << (i > 0 ? ", " : "") << "{\"rule\": \"" << r.broken[i].rule
                  << "\", \"move\": " << moveOf(r.broken[i])
                  << ", \"times\": " << r.broken[i].count << "}";
      std::cout << "]";
    }
    std::cout << "}\n";
  } else if (r.ok()) {
    std::cout << "valid: cost " << r.cost << ", peak " << r.peak[0] << "\n";
  }
  return r.ok() ? kGood : kBadInput;
}

void printMoves(const GameSolution &s, bool json) {
  const std::unique_ptr<GameMoveStream> moves = s.moves();
  bool first = true;
  for (GameMove m; moves->next(m); first = false)
    std::cout << (json && !first ? "," : "") << toString(m)
              << (json ? "" : "\n");
}

int print(const GameSolution &s, const std::optional<GameReplay> &replay,
          double seconds, const Options &o) {
  const bool answered = isAnswered(s.status);
  auto ifAnswered = [&](int64_t value) {
    return answered ? std::to_string(value) : std::string("null");
  };
  const std::string peak =
      replay ? std::to_string(replay->peak[0]) : std::string("null");
  if (o.json) {
    char time[32];
    std::snprintf(time, sizeof time, "%.3f", seconds);
    std::cout << "{\"status\": \"" << toString(s.status)
              << "\", \"cost\": " << ifAnswered(s.cost)
              << ", \"bound\": " << s.bound << ", \"peak\": " << peak
              << ", \"min_budget\": " << s.leastFastSlots << ", \"solver\": \""
              << s.solver << "\", \"limited\": false, \"seconds\": " << time;
    if (s.period)
      std::cout << ", \"period\": " << *s.period;
    if (replay)
      std::cout << ", \"move_count\": " << replay->moves
                << ", \"stores\": " << listOf(replay->stores)
                << ", \"loads\": " << listOf(replay->loads);
    if (o.printSchedule && answered) {
      std::cout << ", \"schedule\": [";
      printMoves(s, true);
      std::cout << "]";
    }
    std::cout << "}\n";
  } else {
    std::cout << toString(s.status);
    if (answered)
      std::cout << ": cost " << s.cost;
    if (replay)
      std::cout << ", peak " << peak;
    std::cout << ", bound " << s.bound << ", smallest number of fast slots "
              << s.leastFastSlots << ", by " << s.solver;
    if (s.period)
      std::cout << " with period " << *s.period;
    if (answered && !replay)
      std::cout << ", not replayed";
    std::cout << "\n";
    if (o.printSchedule && answered)
      printMoves(s, false);
  }
  return answered                         ? kGood
         : s.status == Status::Infeasible ? kInfeasible
                                          : kUnknown;
}

} // namespace

int pebble::solve_tool::runChainGame(const Options &o) {
  if (o.chainGame.rules == "mixed")
    return runMixedGame(o);
  if (o.budget)
    return fail("--budget goes with --rules=mixed; other rules count slots: "
                "--fast-slots");
  ChainGame g;
  if (std::string error = readGame(o.chainGame, g); !error.empty())
    return fail(error);
  if (!o.verify.empty())
    return judge(g, o);
  const GameSolverOptions options{o.solver, o.chainGame.period};
  if (std::string error = chainGameRefusal(g, options); !error.empty())
    return fail(error);
  const auto start = std::chrono::steady_clock::now();
  const GameSolution s = solveChainGame(g, options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  std::optional<GameReplay> replay;
  if (isAnswered(s.status) && g.steps <= kLongestReplayed) {
    const std::unique_ptr<GameMoveStream> moves = s.moves();
    ChainJudge judge(g);
    int64_t count = 0;
    for (GameMove m; count <= kMostPrinted && moves->next(m); ++count)
      judge.play(m);
    if (count <= kMostPrinted) {
      replay = judge.finish();
      if (!replay->ok())
        return fail("internal error: the schedule of solver '" + s.solver +
                    "' was refused: " + replay->broken[0].message + " [" +
                    replay->broken[0].rule + "]");
      if (replay->cost != s.cost)
        return fail("internal error: the schedule of solver '" + s.solver +
                    "' costs " + std::to_string(replay->cost) + " and not " +
                    std::to_string(s.cost));
    }
  }
  if (o.printSchedule && !replay && isAnswered(s.status))
    return fail("the schedule has too many moves to be replayed and printed");
  return print(s, replay, seconds, o);
}
