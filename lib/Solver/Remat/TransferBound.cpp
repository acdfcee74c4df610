//===- TransferBound.cpp - what no schedule with transfers beats ----------===//

#include "TransferBound.h"
#include "Solver/Graph/RunIds.h"
#include "pebble/Solver/Remat/RematBound.h"

#include <algorithm>

using namespace pebble;
using namespace pebble::graph;
using game::Problem;

int64_t pebble::graph::transferBound(const Problem &problem, int64_t budget,
                                     const MoveCosts &costs, bool recompute,
                                     const StopSign *stop) {
  Problem relaxed = problem;
  int64_t once = 0, cheap = 0;
  for (game::Step &step : relaxed.steps) {
    once += step.cost;
    bool again = recompute && step.recomputable && step.pin != game::Pin::Keep;
    for (const game::Access &a : step.writes) {
      if (!mayMove(problem, a.value))
        continue;
      int64_t move = transferCost(problem, costs, a.value, 1, false);
      step.cost = again ? std::min(step.cost, move) : move;
      again = true;
    }
    step.recomputable = again;
    step.pin = game::Pin::None;
    cheap += step.cost;
  }
  std::vector<int64_t> leave(problem.values.size(), kStays);
  for (game::Id v = 0; v < problem.values.size(); ++v)
    if (problem.values[v].producer == game::kNone && mayMove(problem, v))
      if (const int64_t cost = transferCost(problem, costs, v, 1, false);
          cost != INT64_MAX)
        leave[v] = cost;
  int64_t bound = rematBound(relaxed, budget, nullptr, &leave, stop);
  return bound == INT64_MAX ? bound : bound - cheap + once;
}
