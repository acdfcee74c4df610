//===- Wishes.cpp - what the user asked for -------------------------------===//

#include "Wishes.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace pebble {

bool hasWishes(const game::Problem &problem) {
  return llvm::any_of(problem.steps, [](const game::Step &step) {
    return step.pin == game::Pin::Recompute || step.pin == game::Pin::Offload;
  });
}

LogicalResult checkRecomputeWishes(const StorageAnalysis &analysis,
                                   const UnitProblem &units, bool recompute,
                                   bool offload) {
  for (auto [step, unit] : llvm::zip(units.problem.steps, units.units)) {
    Operation *op = analysis.getSteps()[unit.steps.back()].op;
    if (step.pin == game::Pin::Offload && !offload)
      return emitError(op->getLoc(),
                       "pebble.offload cannot be followed without "
                       "means=offload or means=both");
    if (step.pin != game::Pin::Recompute)
      continue;
    if (!recompute)
      return emitError(op->getLoc(), "pebble.recompute cannot be followed with "
                                     "means=none or means=offload");
    if (!unit.reason.empty())
      return emitError(op->getLoc(), "pebble.recompute cannot be followed: ")
             << unit.reason;
  }
  return success();
}

} // namespace pebble
