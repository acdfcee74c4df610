//===- MixedGame.cpp - snapshots and tapes, in pebble-solve ---------------===//
//
// The way of a chain with tapes through the tool: check, solve, replay, print.
//
//===----------------------------------------------------------------------===//

#include "MixedGame.h"

#include "Answer.h"
#include "Common.h"

#include "pebble/Solver/Chain/MixedChain.h"
#include "pebble/Solver/Chain/TieredChain.h"

#include <chrono>

using namespace pebble;
using namespace pebble::chain;
using namespace pebble::solve_tool;
using game::Status;

namespace {

/// Fields as printAnswer() wants them.
struct MixedAnswer {
  Status status = Status::Infeasible;
  int64_t cost = 0, bound = 0, peak = 0;
  std::optional<int64_t> minBudget;
  std::string solver = "mixed";
  bool limited = false;
};

std::string readGame(const Options &o, MixedGame &g) {
  const GameOptions &c = o.chainGame;
  if (!c.steps || !o.budget || o.budget->kind != graph::Budget::Kind::Units)
    return "--rules=mixed needs --steps, and a number as --budget";
  if (c.fastSlots || c.period || c.seedCost != 0 || !c.storeCosts.empty() ||
      !c.loadCosts.empty() || !c.slowSlots.empty() || !o.verify.empty())
    return "--rules=mixed goes with --steps, --budget, --snapshot-size, "
           "--tape-size and the costs of steps alone";
  if (!o.solver.empty() && o.solver != "mixed")
    return "there is no solver '" + o.solver +
           "' for --rules=mixed; there is mixed";
  g.steps = *c.steps;
  g.budget = o.budget->amount;
  g.snapshot = c.snapshotSize;
  g.tape = c.tapeSize;
  g.forward = c.forwardCost;
  g.taping = c.tapingCost.value_or(c.forwardCost);
  g.backward = c.backwardCost;
  return mixedGameError(g);
}

std::string movesOf(const MixedChain &chain, bool json) {
  std::string text = json ? "[" : "";
  auto actions = chain.actions();
  for (Action a; actions->next(a);)
    if (json)
      text += (text.size() > 1 ? ", \"" : "\"") + toString(a) + "\"";
    else
      text += toString(a) + "\n";
  return json ? text + "]" : text;
}

} // namespace

int pebble::solve_tool::runMixedGame(const Options &o) {
  MixedGame g;
  if (std::string error = readGame(o, g); !error.empty())
    return fail(error);
  const auto start = std::chrono::steady_clock::now();
  const MixedChain chain(g);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  MixedAnswer s;
  s.bound = g.costOfOneRun();
  s.minBudget = chain.leastBudget();
  if (chain.cost() >= kImpossible)
    return printAnswer(o, s, seconds, "");
  s.cost = chain.cost();
  auto actions = chain.actions();
  const ActionReplay r =
      replayActions(*actions, g.steps, {g.steps + 1}, {g.snapshot, g.tape});
  const int64_t cost =
      r.advanced * g.forward + r.taped * g.taping + r.backward * g.backward;
  if (!r.verdict.ok() || r.memory > g.budget || cost != s.cost)
    return fail("internal error: the schedule was refused: " +
                r.verdict.message + " [" + r.verdict.rule + "]");
  s.peak = r.memory;
  s.status = s.cost == s.bound ? Status::Optimal : Status::Feasible;
  return printAnswer(o, s, seconds,
                     o.printSchedule ? movesOf(chain, o.json) : "");
}
