//===- MakespanBound.cpp - no program ends before ------------------------===//

#include "pebble/Solver/Timeline/MakespanBound.h"

#include "Solver/Remat/TransferBound.h"
#include "pebble/Solver/Remat/RematBound.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::timeline;
using game::Problem;

namespace {

/// Shares are eighths.
constexpr int64_t kParts = 8;
/// What computation weighs in the bound.
constexpr int64_t kShares[] = {kParts, 7, 6, 4, 2};

graph::MoveCosts weighed(const Durations &durations, int64_t parts,
                         int64_t whole) {
  return graph::shareOf({durations.stores, durations.loads}, parts, whole);
}

} // namespace

Durations timeline::durationsOf(const Problem &problem,
                                const graph::MoveCosts &costs) {
  Durations durations;
  for (const game::Step &step : problem.steps)
    durations.steps.push_back(step.cost);
  durations.stores = costs.stores;
  durations.loads = costs.loads;
  return durations;
}

int64_t timeline::makespanBound(const Problem &problem,
                                const Durations &durations,
                                std::optional<int64_t> budget,
                                const graph::RematMeans &means,
                                const graph::StopSign *stop) {
  int64_t most = 0;
  for (const game::Step &step : problem.steps)
    most += step.cost;
  if (!budget)
    return most;
  if (!means.offload)
    return std::max(
        most, graph::rematBound(problem, *budget, nullptr, nullptr, stop));
  for (int64_t share : kShares) {
    Problem p = problem;
    for (game::Step &step : p.steps)
      step.cost *= share;
    const int64_t bound =
        graph::transferBound(p, *budget, weighed(durations, kParts - share, 1),
                             means.recompute, stop);
    if (bound == INT64_MAX)
      return bound;
    most = std::max(most, (bound + kParts - 1) / kParts);
  }
  return most;
}
