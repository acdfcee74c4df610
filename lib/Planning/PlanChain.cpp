//===- PlanChain.cpp - straight-line chains of equal steps ----------------===//

#include "PlanChain.h"

#include "TransferActions.h"

#include "pebble/Solver/Graph/EqualChain.h"

using namespace mlir;

namespace pebble {

std::optional<game::Schedule> planChain(const BlockProblem &built,
                                        const std::vector<std::string> &runOnce,
                                        graph::LeastCostOptions options) {
  game::Problem steps = built.problem;
  for (auto [step, reason] : llvm::zip(steps.steps, runOnce))
    step.recomputable = reason.empty();
  game::Schedule found = graph::equalChain(steps, options);
  if (found.status == game::Status::Unknown)
    return std::nullopt;
  if (found.status == game::Status::Infeasible) {
    options.budget = found.minBudget;
    found.moves = graph::equalChain(steps, options).moves;
  }
  return found;
}

LeastBudget getLeastOfChain(const game::Schedule &found, int64_t offset) {
  LeastBudget least;
  least.bytes = found.minBudget.value_or(0) - offset;
  least.steps = getRunsOf(found.moves);
  least.solver = found.solver;
  least.isProven = true;
  return least;
}

} // namespace pebble
