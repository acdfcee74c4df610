//===- Remat.cpp - the cost objective of pebble-solve ---------------------===//

#include "Remat.h"

#include "pebble/Solver/Graph/LeastCost.h"

using namespace pebble;
using namespace pebble::game;
using namespace pebble::solve_tool;

namespace {

graph::LeastCostOptions optionsOf(const Options &o) {
  const Means means = o.means.value_or(Means::Recompute);
  graph::LeastCostOptions result;
  result.means.recompute = means != Means::Offload;
  result.means.offload = means == Means::Offload || means == Means::Both;
  result.means.offloadRate = o.offloadRate;
  result.means.fixedOrder = o.fixedOrder;
  result.solver = o.solver;
  result.seed = o.seed;
  result.effort = o.effort;
  result.timeLimitMs = o.timeLimitMs;
  return result;
}

} // namespace

bool pebble::solve_tool::asksForRemat(const Options &o) {
  return o.objective == Objective::Cost &&
         o.means.value_or(Means::Recompute) != Means::None &&
         o.solver != "peak-order" && o.solver != "sweep";
}

std::string pebble::solve_tool::rematError(const Problem &p, const Options &o) {
  return graph::leastCostRefusal(p, optionsOf(o));
}

Schedule pebble::solve_tool::solveByRemat(const Problem &p, const Options &o,
                                          std::optional<int64_t> budget) {
  graph::LeastCostOptions options = optionsOf(o);
  options.budget = budget;
  return graph::leastCost(p, options);
}
