//===- Makespan.cpp - the clock of a block that moves values --------------===//

#include "Makespan.h"

namespace pebble {

timeline::Durations getDurations(const game::Problem &problem,
                                 const graph::MoveCosts &costs) {
  timeline::Durations durations;
  for (const game::Step &step : problem.steps)
    durations.steps.push_back(step.cost);
  durations.stores = costs.stores;
  durations.loads = costs.loads;
  return durations;
}

timeline::Overlapped overlapMoves(const game::Problem &problem,
                                  const std::vector<game::Move> &moves,
                                  const graph::MoveCosts &costs,
                                  int64_t budget) {
  return timeline::overlapTransfers(problem, moves,
                                    getDurations(problem, costs), budget);
}

} // namespace pebble
