//===- Remat.cpp - the cost objective of pebble-solve ---------------------===//

#include "Remat.h"

#include "pebble/Solver/Graph/RematSearch.h"

using namespace pebble;
using namespace pebble::game;
using namespace pebble::solve_tool;

namespace {

graph::RematMeans meansOf(const Options &o) {
  Means means = o.means.value_or(Means::Recompute);
  graph::RematMeans result;
  result.recompute = means != Means::Offload;
  result.offload = means == Means::Offload || means == Means::Both;
  result.offloadRate = o.offloadRate;
  result.fixedOrder = o.fixedOrder;
  return result;
}

} // namespace

bool pebble::solve_tool::asksForRemat(const Options &o) {
  return o.objective == Objective::Cost &&
         o.means.value_or(Means::Recompute) != Means::None &&
         o.solver != "peak-order" && o.solver != "sweep";
}

std::string pebble::solve_tool::rematError(const Problem &p, const Options &o) {
  if (!o.solver.empty() && o.solver != "remat-search")
    return "there is no solver '" + o.solver +
           "'; there are remat-search, peak-order and sweep";
  if (std::string why = graph::RematGame::refusal(p, meansOf(o)); !why.empty())
    return "remat-search does not take this problem: it " + why;
  return "";
}

bool pebble::solve_tool::orderIsAnAnswer(const Problem &p) {
  for (const Step &s : p.steps)
    if (s.pin == Pin::Recompute || s.pin == Pin::Offload)
      return false;
  return true;
}

Schedule pebble::solve_tool::solveByRemat(const Problem &p, const Options &o,
                                          std::optional<int64_t> budget) {
  graph::RematSearchOptions options;
  options.means = meansOf(o);
  options.budget = budget;
  options.effort = o.effort;
  options.timeLimitMs = o.timeLimitMs;
  return graph::rematSearch(p, options);
}
