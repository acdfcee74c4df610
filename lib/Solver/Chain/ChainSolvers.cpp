//===- ChainSolvers.cpp - least cost of the game on a chain ---------------===//

#include "pebble/Solver/Chain/ChainSolvers.h"

#include "MovesOfActions.h"

#include "CheapTierChain.h"
#include "Online.h"
#include "pebble/Solver/Chain/Binomial.h"
#include "pebble/Solver/Chain/Periodic.h"
#include "pebble/Solver/Chain/TieredChain.h"

#include <algorithm>
#include <functional>

using namespace pebble;
using namespace pebble::chain;
using game::Status;

namespace {

/// The reversal of a loop of a known number of steps, as if it were not known.
class OnlineLoop : public ActionStream {
public:
  OnlineLoop(int64_t steps, int64_t slots) : steps(steps), inner(slots) {}
  bool next(Action &action) override {
    if (runs && atStep && inner.steps() == steps) {
      inner.finish();
      runs = false;
    }
    const bool more = inner.next(action);
    atStep = action.kind == ActionKind::Advance;
    return more;
  }

private:
  int64_t steps;
  OnlineActions inner;
  bool runs = true, atStep = true;
};

class ActionSource : public GameSolution::Source {
public:
  using Maker = std::function<std::unique_ptr<ActionStream>()>;
  explicit ActionSource(Maker maker) : maker(std::move(maker)) {}
  std::unique_ptr<GameMoveStream> make() const override {
    return std::make_unique<MovesOfActions>(maker());
  }

private:
  const Maker maker;
};

template <typename Table>
class TableSource : public GameSolution::Source {
public:
  explicit TableSource(const ChainGame &g) : table(g) {}
  std::unique_ptr<GameMoveStream> make() const override {
    return table.moves();
  }
  const Table table;
};

bool hasSlowSlots(const ChainGame &g) {
  return std::any_of(g.tiers.begin(), g.tiers.end(),
                     [](const SlowTier &t) { return t.slots != 0; });
}

/// Whether the game is that of a loop with a working state.
bool isLoop(const ChainGame &g) {
  return g.rules.slides && !g.rules.readsOutput && !g.rules.adjointsTakeRoom &&
         !g.rules.pinned;
}

bool isBinomial(const ChainGame &g) { return isLoop(g) && !hasSlowSlots(g); }

bool isPolicy(const std::string &solver) {
  return solver == "periodic" || solver == "bisection" || solver == "online";
}

PeriodicChain periodicChain(const ChainGame &g) {
  PeriodicChain p;
  p.steps = g.steps;
  p.slots = g.room() - 1;
  p.forward = g.forward;
  p.slowSlots = 0;
  if (g.tiers.empty())
    return p;
  p.store = g.tiers[0].store;
  p.load = g.tiers[0].load;
  p.slowSlots = g.tiers[0].slots;
  return p;
}

/// The cost of a policy beside the backward steps, and where its schedules come
/// from; kImpossible where it does not fit.
int64_t solveByPolicy(const ChainGame &g, std::optional<int64_t> period,
                      GameSolution &s) {
  const int64_t n = g.steps, slots = g.room() - 1;
  auto take = [&](ActionSource::Maker maker) {
    s.source = std::make_shared<ActionSource>(std::move(maker));
  };
  if (s.solver == "bisection") {
    if (slots < bisectionSlots(n))
      return kImpossible;
    take([n] { return std::make_unique<BisectionActions>(n); });
    return bisectionCost(n) * g.forward;
  }
  if (s.solver == "periodic") {
    const PeriodicChain p = periodicChain(g);
    s.period = period ? period : bestPeriod(p);
    const std::optional<int64_t> cost =
        s.period ? periodicCost(p, *s.period) : std::nullopt;
    if (!cost)
      return kImpossible;
    take([n, slots, period = *s.period] {
      return std::make_unique<PeriodicActions>(n, slots, period);
    });
    return *cost;
  }
  if (slots < 1)
    return kImpossible;
  take([n, slots] { return std::make_unique<OnlineLoop>(n, slots); });
  OnlineLoop loop(n, slots);
  int64_t forwards = 0;
  for (Action a; loop.next(a);)
    if (a.kind == ActionKind::Advance)
      forwards += a.to - a.from;
  return forwards * g.forward;
}

std::string choose(const ChainGame &g, const std::string &solver) {
  if (!solver.empty())
    return solver;
  if (isBinomial(g))
    return "binomial";
  if (!TieredChain::isExactFor(g) && CheapTierChain::takes(g) &&
      CheapTierChain::refusal(g).empty())
    return "cheap-tier";
  return "tiered-chain";
}

/// Beyond a few steps it is the same for all lengths, whatever the costs.
int64_t leastFastSlots(const ChainGame &game) {
  ChainGame g = game;
  g.steps = std::min<int64_t>(g.steps, 5);
  for (g.fastSlots = 0; g.fastSlots < 16; ++g.fastSlots)
    if (TieredChain(g).cost() < kImpossible)
      break;
  return g.fastSlots;
}

/// Without slower tiers; 2^40 steps and costs of 2^40 are refused before.
int64_t costOfBinomial(const ChainGame &g) {
  const int64_t slots = g.room() - 1;
  if (!BinomialActions::isPossible(g.steps, slots))
    return kImpossible;
  return *binomialCost(g.steps, slots) * g.forward + g.steps * g.backwardCost();
}

template <typename Table>
int64_t solveByTable(const ChainGame &g, GameSolution &s) {
  auto source = std::make_shared<TableSource<Table>>(g);
  const int64_t cost = source->table.cost();
  s.source = std::move(source);
  return cost;
}

} // namespace

std::string pebble::chain::chainGameRefusal(const ChainGame &g,
                                            const GameSolverOptions &options) {
  const std::string name = choose(g, options.solver);
  if (options.period && name != "periodic")
    return "a period goes with solver periodic alone";
  if (options.period && *options.period < 1)
    return "a period is at least 1";
  if (isPolicy(name)) {
    // Its cost comes from its actions, one by one.
    constexpr int64_t kLongestOnline = 100000000;
    if (!isLoop(g))
      return "solver " + name + " knows rules revolve and hrevolve alone";
    if (name == "online" && g.steps > kLongestOnline)
      return "solver online takes at most " + std::to_string(kLongestOnline) +
             " steps";
    return "";
  }
  if (name == "binomial")
    return isBinomial(g) ? ""
                         : "solver binomial knows rules revolve and hrevolve "
                           "without slower tiers alone";
  if (name == "tiered-chain")
    return TieredChain::refusal(g);
  if (name == "cheap-tier")
    return !CheapTierChain::takes(g)
               ? "solver cheap-tier knows rules seed and seed_slide with one "
                 "slower tier alone"
               : CheapTierChain::refusal(g);
  return "there is no solver '" + name +
         "' for --chain; there are binomial, tiered-chain, cheap-tier, "
         "periodic, bisection and online";
}

GameSolution pebble::chain::solveChainGame(const ChainGame &g,
                                           const GameSolverOptions &options) {
  GameSolution s;
  s.solver = choose(g, options.solver);
  s.bound = g.costOfOneRun();
  const bool policy = isPolicy(s.solver);
  bool exact = !policy;
  int64_t cost = kImpossible;
  if (policy) {
    cost = solveByPolicy(g, options.period, s) + g.steps * g.backwardCost();
  } else if (s.solver == "binomial") {
    cost = costOfBinomial(g);
    s.source = std::make_shared<ActionSource>([n = g.steps, c = g.room() - 1] {
      return std::make_unique<BinomialActions>(n, c);
    });
  } else if (s.solver == "cheap-tier") {
    cost = solveByTable<CheapTierChain>(g, s);
  } else {
    cost = solveByTable<TieredChain>(g, s);
    exact = TieredChain::isExactFor(g);
  }
  s.leastFastSlots = leastFastSlots(g);
  if (cost >= kImpossible) {
    s.status = policy ? Status::Unknown : Status::Infeasible;
    return s;
  }
  s.cost = cost;
  if (exact)
    s.bound = cost;
  s.status = cost == s.bound ? Status::Optimal : Status::Feasible;
  return s;
}
