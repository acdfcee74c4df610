//===- RematSolvers.cpp - the solvers for least cost, by name -------------===//

#include "pebble/Solver/Portfolio/RematSolvers.h"
#include "Solver/Graph/RunIds.h"
#include "Solver/Milp/MilpSolvers.h"
#include "Solver/Remat/Baselines.h"
#include "Solver/Remat/BlockChain.h"
#include "Solver/Remat/EqualChain.h"
#include "Solver/Remat/LocalSearch.h"
#include "Solver/Remat/PeakCuts.h"
#include "Solver/Remat/RematSearch.h"
#include "Solver/Remat/TreeCost.h"
#include "pebble/Solver/Portfolio/LeastCost.h"
#include "pebble/Solver/Remat/RematBound.h"
#include "pebble/Solver/Remat/RematGreedy.h"

using namespace pebble;
using namespace pebble::graph;
using game::Problem;
using game::Schedule;

static std::string searchRefusal(const Problem &p, const LeastCostOptions &o) {
  return RematGame::refusal(p, o.means);
}

static Schedule search(const Problem &p, const LeastCostOptions &options) {
  RematSearchOptions o;
  o.means = options.means;
  if (options.transfers)
    o.transfers = &*options.transfers;
  o.budget = options.budget;
  o.effort = options.effort;
  o.limits = options.limits;
  return rematSearch(p, o);
}

static std::string walksRefusal(const Problem &p, const LeastCostOptions &o) {
  return rematGreedyRefusal(p, o.means);
}

static std::string cutsRefusal(const Problem &p, const LeastCostOptions &o) {
  return peakCutsRefusal(p, o.means);
}

static Schedule mendOrder(const Problem &p, const LeastCostOptions &options) {
  const StopSign stop(options.limits);
  PeakCutsOptions o;
  o.budget = options.budget.value_or(INT64_MAX);
  o.fixedOrder = options.means.fixedOrder;
  o.seed = options.seed;
  o.effort = options.effort;
  o.stop = &stop;
  return peakCuts(p, {game::givenOrder(p)}, o);
}

static Schedule retainIntervals(const Problem &p,
                                const LeastCostOptions &options) {
  // Heuristics first: where to start, and which order first runs follow.
  LeastCostOptions first = options;
  if (!first.budget)
    first.budget =
        game::verify(p, game::scheduleOfOrder(p, game::givenOrder(p))).peak[0];
  first.effort = 0;
  const int64_t some = 500 + 20 * static_cast<int64_t>(p.steps.size());
  if (options.limits.isTimed())
    first.limits = options.limits.part(6).within(some);
  return milp::retentionIntervals(p, options, leastCostByLocalSearch(p, first));
}

static std::string jointRefusal(const Problem &p, const LeastCostOptions &o) {
  return o.means.offload ? transferSearchRefusal(p)
                         : localSearchRefusal(p, o.means);
}

static std::string xlaRefusal(const Problem &p, const LeastCostOptions &o) {
  const std::string walks = rematGreedyRefusal(p, o.means);
  return walks.empty() ? localSearchRefusal(p, o.means) : walks;
}

const std::vector<RematSolver> &pebble::graph::rematSolvers() {
  static const std::vector<RematSolver> solvers = {
      {"remat-search", "exact search, up to 64 steps", searchRefusal, search},
      {"remat-greedy", "greedy walks, polished, with a bound", walksRefusal,
       leastCostByWalks},
      {"peak-cuts", "the given order, mended at its fullest moments",
       cutsRefusal, mendOrder},
      {"local-search", "annealed changes of the runs, thousands of steps",
       jointRefusal, leastCostByLocalSearch},
      {"block-chain", "dynamic programming over a chain of blocks",
       blockChainRefusal, blockChain},
      {"equal-chain", "reversal of a chain of equal steps, proven",
       equalChainRefusal, equalChain},
      {"tree", "in-trees, where recomputation never helps", treeCostRefusal,
       treeCost},
      {"keep-all", "baseline: the given order", walksRefusal, keepAll},
      {"least-peak-first", "baseline: list order, nothing made again",
       walksRefusal, leastPeakFirst},
      {"sqrt-n", "baseline: every sqrt(n)-th result kept", walksRefusal,
       sqrtCheckpoints},
      {"chen-greedy", "baseline: checkpoints at articulation points",
       walksRefusal, chenGreedy},
      {"xla-greedy", "baseline: best bytes per cost at the peak", xlaRefusal,
       xlaGreedy},
      {"checkmate", "Checkmate's MILP, in HiGHS", milp::milpRefusal,
       milp::checkmate},
      {"retention-intervals", "a MILP of more passes, in HiGHS",
       milp::milpRefusal, retainIntervals},
      {"lp-rounding", "the relaxation of Checkmate's, rounded",
       milp::milpRefusal, milp::lpRounding},
      {"poet", "POET's MILP: recomputation and paging, in HiGHS",
       milp::poetRefusal, milp::poet},
  };
  return solvers;
}

const RematSolver *pebble::graph::findRematSolver(const std::string &name) {
  for (const RematSolver &s : rematSolvers())
    if (name == s.name)
      return &s;
  return nullptr;
}

game::Schedule pebble::graph::solveByName(const Problem &p,
                                          const LeastCostOptions &o) {
  // Before the solver takes all of the time.
  const bool isBound = !o.means.offload && o.budget;
  const StopSign soon(o.limits.part(8));
  const int64_t bound =
      isBound ? rematBound(p, *o.budget, nullptr, nullptr, &soon) : 0;
  const int64_t floor = isBound ? rematFloor(p, &soon) : 0;
  game::Schedule s = findRematSolver(o.solver)->solve(p, o);
  if (o.means.offload || !o.budget || s.status == game::Status::Optimal ||
      s.status == game::Status::Infeasible)
    return s;
  if (bound == INT64_MAX || *o.budget < floor) {
    s.status = game::Status::Infeasible;
    return s;
  }
  s.bound = std::max(s.bound, bound);
  if (s.status == game::Status::Feasible && s.cost <= s.bound) {
    s.status = game::Status::Optimal;
    s.limited = false;
  }
  return s;
}

std::string pebble::graph::unknownSolver(const std::string &name) {
  if (name.empty() || findRematSolver(name))
    return "";
  std::string names;
  for (const RematSolver &s : rematSolvers())
    names += (names.empty() ? "" : ", ") + std::string(s.name);
  return "there is no solver '" + name + "'; there are " + names;
}

/// Whether the given order makes a schedule with what the wishes ask for.
static bool canFollowWishes(const Problem &p, const LeastCostOptions &o) {
  if (!hasWishes(p))
    return false;
  for (const game::Step &s : p.steps)
    if (s.pin == game::Pin::Offload && !o.means.offload)
      return false;
  const MoveCosts costs =
      o.transfers ? *o.transfers : costsByRate(p, o.means.offloadRate);
  return !scheduleOfList(p, followWishes(p, game::givenOrder(p)), costs,
                         INT64_MAX)
              .moves.empty();
}

std::string pebble::graph::leastCostRefusal(const Problem &p,
                                            const LeastCostOptions &o) {
  if (!o.solver.empty()) {
    if (const RematSolver *solver = findRematSolver(o.solver)) {
      std::string refusal = solver->refusal(p, o);
      return refusal.empty()
                 ? ""
                 : o.solver + " does not take the problem: it " + refusal;
    }
    return unknownSolver(o.solver) + ", peak-order and sweep";
  }
  for (const game::Step &s : p.steps)
    if (s.pin == game::Pin::Recompute && !(s.recomputable && o.means.recompute))
      return "no solver takes the problem: it asks to recompute step '" +
             s.name + "', which cannot be";
  std::string search = RematGame::refusal(p, o.means);
  std::string greedy = o.means.offload ? transferSearchRefusal(p)
                                       : rematGreedyRefusal(p, o.means);
  if (!o.means.offload && localSearchRefusal(p, o.means).empty())
    greedy.clear();
  if (search.empty() || greedy.empty() || canFollowWishes(p, o))
    return "";
  return "no solver takes the problem: for exact search it " + search +
         ", and it " + greedy;
}
