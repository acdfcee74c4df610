//===- Chain.cpp - unequal chains in pebble-solve -------------------------===//
//
// The way of a chain through the tool: check, solve, verify, print. No schedule
// leaves here that verifyChain() does not accept.
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include "Answer.h"
#include "Common.h"

#include "pebble/Solver/Chain/Heterogeneous.h"

#include <chrono>

using namespace pebble;
using namespace pebble::chain;
using namespace pebble::solve_tool;
using game::Status;

namespace {

/// Why the options do not go with a chain; empty if they do.
std::string optionError(const Options &o) {
  if (o.objective != Objective::Cost)
    return "chains with saved internals know --objective=cost alone";
  if (o.means && *o.means != Means::Recompute)
    return "chains with saved internals know --means=recompute alone";
  if (o.fixedOrder)
    return "chains with saved internals know --order=free alone";
  if (asksForLeast(o) && !o.verify.empty())
    return "a schedule is judged by a budget that is a number";
  if (!o.printProblem.empty() || o.countOrders)
    return "a chain with saved internals is no problem of steps and values to "
           "print or count";
  return "";
}

int judge(const HeterogeneousChain &c, const Options &o,
          std::optional<int64_t> budget) {
  std::string text;
  if (!readFile(o.verify, text))
    return fail(o.verify + ": cannot be read");
  ParsedChainMoves parsed = readChainMoves(text);
  if (!parsed.moves)
    return fail(o.verify + ": " + parsed.error);
  const ChainReplay r = verifyChain(c, *parsed.moves, budget);
  const bool good = r.verdict.ok();
  const bool atMove = r.verdict.at < parsed.moves->size();
  if (!good)
    std::cerr << "pebble-solve: " << o.verify << ": "
              << (atMove ? "move " + std::to_string(r.verdict.at) + " " +
                               toString((*parsed.moves)[r.verdict.at])
                         : "at the end")
              << ": " << r.verdict.message << " [" << r.verdict.rule << "]\n";
  if (o.json) {
    std::cout << "{\"valid\": " << (good ? "true" : "false")
              << ", \"cost\": " << r.cost << ", \"peak\": " << r.peak;
    if (!good)
      std::cout << ", \"rule\": \"" << r.verdict.rule << "\", \"move\": "
                << (atMove ? std::to_string(r.verdict.at) : "null");
    std::cout << "}\n";
  } else if (good) {
    std::cout << "valid: cost " << r.cost << ", peak " << r.peak << "\n";
  }
  return good ? kGood : kBadInput;
}

int print(const ChainSchedule &s, const Options &o, double seconds) {
  std::string moves;
  if (o.printSchedule && !o.json)
    for (const ChainMove &m : s.moves)
      moves += toString(m) + "\n";
  else if (o.printSchedule)
    moves = writeChainMovesJson(s.moves);
  return printAnswer(o, s, seconds, moves);
}

} // namespace

int pebble::solve_tool::runChain(const ParsedChain &parsed, const Options &o) {
  if (!parsed.chain)
    return fail(o.file + ": " + parsed.error);
  const HeterogeneousChain &c = *parsed.chain;
  if (game::Verdict v = checkChain(c); !v.ok())
    return fail(o.file + ": " + v.message + " [" + v.rule + "]");
  if (std::string error = optionError(o); !error.empty())
    return fail(error);
  const std::optional<int64_t> budget =
      budgetOf(o, verifyChain(c, keepAllSchedule(c)).peak);
  if (!o.verify.empty())
    return judge(c, o, budget);
  ChainOptions options;
  options.budget = budget;
  options.solver = o.solver;
  options.effort = o.effort;
  options.limits = o.limits();
  if (std::string error = chainRefusal(c, options); !error.empty())
    return fail(error);
  const auto start = std::chrono::steady_clock::now();
  tool::WatchScope watched(o.watch);
  const ChainSchedule s = asksForLeast(o) ? leastChainBudget(c, options)
                                          : leastChainCost(c, options);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  watched.end();
  if (isAnswered(s.status)) {
    const ChainReplay r = verifyChain(c, s.moves, budget);
    if (!r.verdict.ok() || r.peak != s.peak || r.cost != s.cost)
      return fail("internal error: the schedule of solver '" + s.solver +
                  "' was refused: " + r.verdict.message + " [" +
                  r.verdict.rule + "]");
  }
  return print(s, o, seconds);
}
