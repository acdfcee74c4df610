//===- Makespan.cpp - the clock of a block that moves values --------------===//

#include "Makespan.h"

#include "pebble/Dialect/DimBounds.h"
#include "pebble/Solver/Graph/TransferBound.h"

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

graph::MoveCosts scaleCosts(const graph::MoveCosts &costs, int64_t weight) {
  graph::MoveCosts scaled = costs;
  for (auto *table : {&scaled.stores, &scaled.loads})
    for (std::vector<int64_t> &tier : *table)
      for (int64_t &cost : tier)
        cost = cost / 100 * weight + cost % 100 * weight / 100;
  return scaled;
}

int64_t boundMakespan(const game::Problem &problem, int64_t budget,
                      const graph::MoveCosts &costs, bool recompute) {
  int64_t bound = 0;
  for (int64_t weight : {100, 75, 50, 25}) {
    game::Problem weighed = problem;
    for (game::Step &step : weighed.steps)
      step.cost = step.cost / 100 * weight + step.cost % 100 * weight / 100;
    int64_t least = graph::transferBound(
        weighed, budget, scaleCosts(costs, 100 - weight), recompute);
    if (least == std::numeric_limits<int64_t>::max())
      return least;
    bound = std::max(bound, least);
  }
  return bound;
}

std::vector<game::Move> getMoves(llvm::ArrayRef<timeline::Action> actions) {
  std::vector<game::Move> moves;
  for (const timeline::Action &action : actions)
    switch (action.kind) {
    case timeline::ActionKind::Run:
      moves.push_back({game::MoveKind::Compute, action.subject, 0});
      break;
    case timeline::ActionKind::Store:
      moves.push_back({game::MoveKind::Store, action.subject, action.tier});
      break;
    case timeline::ActionKind::Load:
      moves.push_back({game::MoveKind::Load, action.subject, action.tier});
      break;
    case timeline::ActionKind::Drop:
      moves.push_back({game::MoveKind::Drop, action.subject, action.tier});
      break;
    case timeline::ActionKind::Wait:
      break;
    }
  return moves;
}

} // namespace pebble
