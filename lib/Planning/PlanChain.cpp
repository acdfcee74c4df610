//===- PlanChain.cpp - straight-line chains of equal steps ----------------===//

#include "PlanChain.h"

#include "pebble/Solver/Graph/EqualChain.h"

using namespace mlir;

namespace pebble {

std::optional<game::Schedule> planChain(const BlockProblem &built,
                                        const std::vector<std::string> &runOnce,
                                        graph::LeastCostOptions options) {
  game::Problem steps = built.problem;
  for (auto [step, reason] : llvm::zip(steps.steps, runOnce))
    step.recomputable = reason.empty();
  if (!graph::equalChainRefusal(steps, options).empty())
    return std::nullopt;
  game::Schedule found = graph::equalChain(steps, options);
  if (found.status == game::Status::Optimal)
    return found;
  if (found.status != game::Status::Infeasible)
    return std::nullopt;
  options.budget = found.minBudget;
  found.moves = graph::equalChain(steps, options).moves;
  return found;
}

LeastBudget getLeastOfChain(const game::Schedule &found, int64_t offset) {
  LeastBudget least;
  least.bytes = found.minBudget.value_or(0) - offset;
  for (const game::Move &move : found.moves)
    if (move.kind == game::MoveKind::Compute)
      least.steps.push_back(move.subject);
  least.solver = found.solver;
  least.isProven = true;
  return least;
}

} // namespace pebble
