//===- Wishes.cpp - what the user asked for -------------------------------===//

#include "Wishes.h"

#include "pebble/Dialect/PebbleAttrNames.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace pebble {

bool hasWishes(const game::Problem &problem) {
  return llvm::any_of(problem.steps, [](const game::Step &step) {
    return step.pin == game::Pin::Recompute || step.pin == game::Pin::Offload;
  });
}

LogicalResult checkRecomputeWishes(const StorageAnalysis &analysis,
                                   const portfolio::UnitProblem &units,
                                   bool recompute, bool offload) {
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

LogicalResult checkOffloadWishes(const StorageAnalysis &analysis,
                                 const BlockProblem &built) {
  for (auto [index, step] : llvm::enumerate(built.problem.steps)) {
    if (step.pin != game::Pin::Offload)
      continue;
    Operation *op = analysis.getSteps()[index].op;
    if (llvm::none_of(step.writes, [&](const game::Access &write) {
          return static_cast<bool>(built.contents[write.value].name);
        }))
      return emitError(op->getLoc(), "pebble.offload cannot be followed: the "
                                     "op makes nothing that has a name");
    for (const game::Access &write : step.writes)
      if (const std::string &reason = built.contents[write.value].refusal;
          !reason.empty())
        return emitError(op->getLoc(), "pebble.offload cannot be followed: ")
               << reason;
  }
  return success();
}

static game::Id getTier(const game::Problem &problem, Attribute wish) {
  if (auto name = dyn_cast<StringAttr>(wish))
    for (size_t at = problem.hierarchy.computeTier() + 1;
         at < problem.hierarchy.tiers.size(); ++at)
      if (problem.hierarchy.tiers[at].name == name.getValue())
        return at - problem.hierarchy.computeTier();
  return 1;
}

std::vector<game::Id> takeWantedTiers(const StorageAnalysis &analysis,
                                      game::Problem &problem) {
  std::vector<game::Id> wanted;
  for (auto [index, step] : llvm::enumerate(problem.steps)) {
    if (step.pin != game::Pin::Offload)
      continue;
    wanted.resize(problem.values.size(), 0);
    step.pin = game::Pin::None;
    Operation *op = analysis.getSteps()[index].op;
    game::Id tier = getTier(problem, op->getAttr(attr::kOffload));
    for (const game::Access &write : step.writes)
      wanted[write.value] = tier;
  }
  return wanted;
}

} // namespace pebble
