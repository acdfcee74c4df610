//===- ChainSolvers.cpp - least cost of the game on a chain ---------------===//

#include "pebble/Solver/Chain/ChainSolvers.h"

#include "pebble/Solver/Chain/Binomial.h"
#include "pebble/Solver/Chain/CheapTierChain.h"
#include "pebble/Solver/Chain/TieredChain.h"

#include <algorithm>
#include <deque>

using namespace pebble;
using namespace pebble::chain;
using game::Status;

namespace {

/// The moves behind a stream of actions in tier 0 alone, under rules that let
/// a forward step take its input's place.
class MovesOfActions : public GameMoveStream {
public:
  explicit MovesOfActions(std::unique_ptr<ActionStream> actions)
      : actions(std::move(actions)) {}

  bool next(GameMove &move) override {
    for (;;) {
      if (dropped >= 0) {
        move = {GameMoveKind::Drop, dropped, false, 0};
        dropped = -1;
        return true;
      }
      if (from < to) {
        move = {GameMoveKind::Forward, from + 1, false, 0};
        if (!isHeld(from))
          dropped = from;
        ++from;
        return true;
      }
      Action a;
      if (!actions->next(a))
        return false;
      switch (a.kind) {
      case ActionKind::Advance:
        from = a.from;
        to = a.to;
        break;
      case ActionKind::Snapshot:
        held.push_back(a.from);
        break;
      case ActionKind::Free:
        held.pop_back();
        break;
      case ActionKind::Backward:
        move = {GameMoveKind::Backward, a.from + 1, false, 0};
        dropped = a.from;
        return true;
      case ActionKind::Restore:
      case ActionKind::Turn:
        break;
      }
    }
  }

private:
  bool isHeld(int64_t state) const {
    return !held.empty() && held.back() == state;
  }

  std::unique_ptr<ActionStream> actions;
  std::vector<int64_t> held;
  int64_t from = 0, to = 0, dropped = -1;
};

class BinomialSource : public GameSolution::Source {
public:
  explicit BinomialSource(const ChainGame &g) : g(g) {}
  std::unique_ptr<GameMoveStream> make() const override {
    return std::make_unique<MovesOfActions>(
        std::make_unique<BinomialActions>(g.steps, g.room() - 1));
  }

private:
  const ChainGame g;
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

bool isBinomial(const ChainGame &g) {
  return g.rules.slides && !g.rules.readsOutput && !g.rules.adjointsTakeRoom &&
         !g.rules.pinned && !hasSlowSlots(g);
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
                                            const std::string &solver) {
  const std::string name = choose(g, solver);
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
         "' for --chain; there are binomial, tiered-chain and cheap-tier";
}

GameSolution pebble::chain::solveChainGame(const ChainGame &g,
                                           const std::string &solver) {
  GameSolution s;
  s.solver = choose(g, solver);
  s.bound = g.costOfOneRun();
  bool exact = true;
  int64_t cost = kImpossible;
  if (s.solver == "binomial") {
    cost = costOfBinomial(g);
    s.source = std::make_shared<BinomialSource>(g);
  } else if (s.solver == "cheap-tier") {
    cost = solveByTable<CheapTierChain>(g, s);
  } else {
    cost = solveByTable<TieredChain>(g, s);
    exact = TieredChain::isExactFor(g);
  }
  s.leastFastSlots = leastFastSlots(g);
  if (cost >= kImpossible) {
    s.status = Status::Infeasible;
    return s;
  }
  s.cost = cost;
  if (exact)
    s.bound = cost;
  s.status = cost == s.bound ? Status::Optimal : Status::Feasible;
  return s;
}
