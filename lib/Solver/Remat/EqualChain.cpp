//===- EqualChain.cpp - chains of equal steps inside a problem ------------===//

#include "EqualChain.h"
#include "Solver/Graph/RunIds.h"
#include "pebble/Solver/Chain/ChainSolvers.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Access;
using game::Id;
using game::kNone;
using game::Problem;
using game::Schedule;
using game::Status;
using game::Step;

namespace {

/// Chains shorter than this are nobody's business: anything solves them.
constexpr size_t kLeastSteps = 2;

class Recogniser {
public:
  Recogniser(const Problem &p, const LeastCostOptions &options)
      : p(p), options(options), readers(p.values.size()) {}

  /// False, with a reason, if the problem is no such chain.
  bool run() {
    return checkWhole() && followForwards() && followBackwards() && price() &&
           readTiers();
  }

  std::string reason;
  chain::ChainGame game;
  /// By index in the chain; steps from 1 on.
  std::vector<Id> forwards = {kNone}, backwards, states, adjoints;
  Id seed = kNone;
  int64_t bytes = 0, always = 0;

private:
  bool no(const char *why) {
    reason = why;
    return false;
  }

  /// Whether a value is there all the time whatever happens.
  bool isFixture(Id v) const {
    const game::Storage &s = p.storages[p.values[v].storage];
    return p.values[v].producer == kNone && s.initial &&
           (s.pinned || s.footprint == 0);
  }

  bool checkWhole() {
    if (!options.means.recompute || options.means.fixedOrder)
      return no("is to be solved by other means than a free order and "
                "recomputation");
    if (!p.precedences.empty())
      return no("has orders that no data asks for");
    std::vector<bool> written(p.storages.size(), false);
    for (const game::Value &v : p.values)
      if (v.producer != kNone)
        written[v.storage] = true;
    for (Id id = 0; id < p.steps.size(); ++id) {
      const Step &s = p.steps[id];
      if (s.writes.size() != 1 || s.scratch != 0 || s.pin != game::Pin::None)
        return no("has a step with several results, scratch or a wish");
      const game::Value &made = p.values[s.writes[0].value];
      const game::Storage &storage = p.storages[made.storage];
      if (made.overwrites != kNone || storage.initial || storage.pinned)
        return no("updates something in place");
      if (bytes == 0)
        bytes = storage.footprint;
      if (storage.footprint != bytes || bytes == 0)
        return no("makes values of several sizes");
      std::vector<Id> seen;
      for (const Access &a : s.reads)
        if (std::find(seen.begin(), seen.end(), a.value) == seen.end()) {
          seen.push_back(a.value);
          readers[a.value].push_back(id);
        }
    }
    for (const game::Storage &s : p.storages)
      if (s.initial && s.pinned)
        always += s.footprint;
    return true;
  }

  /// Values that a step reads and that are not always there, except `first`.
  std::vector<Id> readsOf(Id step, Id first) const {
    std::vector<Id> reads;
    for (const Access &a : p.steps[step].reads)
      if ((a.value == first || !isFixture(a.value)) &&
          std::find(reads.begin(), reads.end(), a.value) == reads.end())
        reads.push_back(a.value);
    return reads;
  }

  Id resultOf(Id step) const { return p.steps[step].writes[0].value; }

  /// The chain of first states: the longest one in which each step reads the
  /// state before and nothing else that is made.
  bool followForwards() {
    if (p.steps.empty())
      return no("has no steps");
    std::vector<Id> reads;
    for (const Access &a : p.steps[0].reads)
      if (p.values[a.value].producer == kNone)
        reads.push_back(a.value);
    // The first step of the chain reads its input; of several inputs, the one
    // that the last backward step reads as well.
    Id last = kNone;
    for (Id v = 0; v < p.values.size(); ++v)
      if (p.values[v].required && !isFixture(v)) {
        if (last != kNone)
          return no("has several results");
        last = v;
      }
    if (last == kNone || p.values[last].producer == kNone)
      return no("has no result");
    const Id end = p.values[last].producer;
    for (Id v : reads)
      if (std::find(readers[v].begin(), readers[v].end(), end) !=
          readers[v].end())
        states = {v};
    if (states.empty())
      return no("does not end where it began");
    const game::Storage &input = p.storages[p.values[states[0]].storage];
    game.rules.pinned = input.pinned || input.footprint == 0;
    if (!game.rules.pinned && input.footprint != bytes)
      return no("makes values of several sizes");
    for (const game::Value &v : p.values)
      if (v.producer == kNone && &v != &p.values[states[0]] &&
          !isFixture(&v - p.values.data()))
        return no("begins with several values");
    for (Id step = 0; step < p.steps.size(); ++step) {
      std::vector<Id> needed = readsOf(step, states[0]);
      if (needed.size() != 1 || needed[0] != states.back())
        break;
      forwards.push_back(step);
      states.push_back(resultOf(step));
    }
    // The last of them makes the adjoint.
    if (forwards.size() < 2 + kLeastSteps)
      return no("is no chain of at least two steps");
    seed = forwards.back();
    forwards.pop_back();
    adjoints.assign(states.size() - 1, kNone);
    adjoints.back() = states.back();
    states.pop_back();
    return true;
  }

  bool followBackwards() {
    const size_t n = forwards.size() - 1;
    backwards.assign(n + 1, kNone);
    if (p.steps.size() != 2 * n + 1)
      return no("has other steps than a forward and a backward one for each "
                "state");
    for (size_t i = n; i > 0; --i) {
      const Id step = static_cast<Id>(n + 1 + (n - i));
      std::vector<Id> needed = readsOf(step, states[0]);
      std::vector<Id> wanted = {adjoints[i], states[i - 1]};
      const bool both = needed.size() == 3;
      if (i == n)
        game.rules.readsOutput = both;
      if (game.rules.readsOutput)
        wanted.push_back(states[i]);
      std::sort(needed.begin(), needed.end());
      std::sort(wanted.begin(), wanted.end());
      if (needed != wanted)
        return no("has a step that reads something else than an adjoint and "
                  "the states beside its step");
      backwards[i] = step;
      adjoints[i - 1] = resultOf(step);
    }
    if (!p.values[adjoints[0]].required)
      return no("does not end with the last adjoint");
    return true;
  }

  bool price() {
    game.steps = static_cast<int64_t>(forwards.size()) - 1;
    // The rules of a compiler's values: adjoints are values like others.
    std::string name = game.rules.readsOutput ? "dag_both" : "dag_prev";
    game.rules =
        *chain::findChainRules(game.rules.pinned ? name + "_pinned" : name);
    game.forward = p.steps[forwards[1]].cost;
    game.backward = p.steps[backwards[1]].cost;
    game.seed = p.steps[seed].cost;
    for (size_t i = 1; i < forwards.size(); ++i)
      if (p.steps[forwards[i]].cost != game.forward ||
          p.steps[backwards[i]].cost != game.backward ||
          !p.steps[forwards[i]].recomputable)
        return no("has steps that cost differently or must not run again");
    game.fastSlots = options.budget ? (*options.budget - always) / bytes
                                    : static_cast<int64_t>(p.values.size());
    game.fastSlots = std::clamp<int64_t>(game.fastSlots, 0,
                                         static_cast<int64_t>(p.values.size()));
    return true;
  }

  bool readTiers() {
    if (options.means.offload) {
      const size_t compute = p.hierarchy.computeTier();
      const MoveCosts costs = options.transfers
                                  ? *options.transfers
                                  : costsByRate(p, options.means.offloadRate);
      for (size_t t = 1; t < p.explicitTierCount(); ++t) {
        const int64_t capacity = p.hierarchy.tiers[compute + t].capacity;
        chain::SlowTier tier;
        tier.store = costs.stores[t][states[1]];
        tier.load = costs.loads[t][states[1]];
        if (capacity != game::kUnbounded)
          tier.slots = capacity / bytes;
        for (Id v = 0; v < p.values.size(); ++v) {
          if (isFixture(v))
            continue;
          if (!mayMove(p, v) || costs.stores[t][v] != tier.store ||
              costs.loads[t][v] != tier.load)
            return no("has values that cannot move, or at other prices");
        }
        game.tiers.push_back(tier);
      }
    }
    if (!chain::chainGameError(game).empty())
      return no("has costs or a length that no table holds");
    if (!chain::chainGameRefusal(game).empty())
      return no("has more tiers than the programs for its rules know");
    return true;
  }

  const Problem &p;
  const LeastCostOptions &options;
  /// By value: the steps that read it.
  std::vector<std::vector<Id>> readers;
};

game::Move toMove(const Recogniser &chain, const chain::GameMove &m) {
  using chain::GameMoveKind;
  const Id tier = static_cast<Id>(m.tier);
  switch (m.kind) {
  case GameMoveKind::Forward:
    return {game::MoveKind::Compute, chain.forwards[m.index], 0};
  case GameMoveKind::Seed:
    return {game::MoveKind::Compute, chain.seed, 0};
  case GameMoveKind::Backward:
    return {game::MoveKind::Compute, chain.backwards[m.index], 0};
  case GameMoveKind::Store:
  case GameMoveKind::Load:
  case GameMoveKind::Drop:
    break;
  }
  return {m.kind == GameMoveKind::Store  ? game::MoveKind::Store
          : m.kind == GameMoveKind::Load ? game::MoveKind::Load
                                         : game::MoveKind::Drop,
          (m.adjoint ? chain.adjoints : chain.states)[m.index], tier};
}

} // namespace

std::string pebble::graph::equalChainRefusal(const Problem &p,
                                             const LeastCostOptions &o) {
  Recogniser chain(p, o);
  return chain.run() ? "" : chain.reason;
}

Schedule pebble::graph::equalChain(const Problem &p,
                                   const LeastCostOptions &options) {
  Recogniser chain(p, options);
  Schedule s;
  s.solver = "equal-chain";
  if (!chain.run())
    return s;
  const chain::GameSolution found = chain::solveChainGame(chain.game);
  s.status = found.status;
  s.cost = found.cost;
  s.bound = found.bound;
  s.minBudget = chain.always + found.leastFastSlots * chain.bytes;
  if (found.status == Status::Infeasible)
    return s;
  std::unique_ptr<chain::GameMoveStream> moves = found.moves();
  for (chain::GameMove m; moves->next(m);)
    s.moves.push_back(toMove(chain, m));
  s.moves = canonicalMoves(p, s.moves);
  game::Replay r = verify(p, s.moves, options.budget);
  s.peak = r.peak.empty() ? 0 : r.peak[0];
  if (!r.verdict.ok())
    s.status = Status::Unknown;
  return s;
}
