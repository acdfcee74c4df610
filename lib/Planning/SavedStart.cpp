//===- SavedStart.cpp - a search that starts from a saved plan ------------===//

#include "SavedStart.h"

#include "Judge.h"

#include "pebble/Solver/Graph/RematGreedy.h"

namespace pebble {

bool fitsBudget(const SavedPlan &saved, const game::Problem &problem,
                int64_t budget) {
  std::vector<game::Move> moves = saved.moves;
  if (moves.empty())
    moves =
        graph::scheduleOfRuns(problem, {saved.runs.begin(), saved.runs.end()});
  return game::verify(problem, moves, budget).verdict.ok();
}

std::vector<game::Move> getStart(const SavedPlan &saved,
                                 const std::vector<StepKey> &steps,
                                 const UnitProblem &units, int64_t budget) {
  std::vector<game::Move> moves =
      graph::scheduleOfRuns(units.problem, adaptRuns(saved, steps, units));
  if (!game::verify(units.problem, moves, budget).verdict.ok())
    return {};
  return moves;
}

void takeIfBetter(const std::vector<game::Move> &start,
                  const game::Problem &problem, int64_t once,
                  game::Schedule &found) {
  int64_t cost = game::verify(problem, start).cost;
  if (isAnswer(found) && found.cost <= cost)
    return;
  found.moves = start;
  found.cost = cost;
  found.bound = std::max(once, std::min(found.bound, cost));
  found.status =
      found.bound == cost ? game::Status::Optimal : game::Status::Feasible;
  found.solver = "saved-plan";
}

} // namespace pebble
