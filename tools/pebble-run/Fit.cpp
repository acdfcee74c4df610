//===- Fit.cpp - a program that its tier cannot hold ----------------------===//

#include "Fit.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/Placement.h"

using namespace mlir;
using namespace pebble;

static constexpr size_t kShown = 3;

/// What stands at the peak of `tier` ("" is the compute tier).
static Misfit describe(const LifetimeAnalysis &lifetime, StringRef tier,
                       TierAttr holds) {
  const StorageAnalysis &storage = lifetime.getStorage();
  Location loc = storage.getBlock()->getParentOp()->getLoc();
  std::string at = "before its first operation";
  SmallVector<StorageId> live;
  if (!storage.getSteps().empty()) {
    const unsigned position = lifetime.getPeakPosition(tier);
    const unsigned step = lifetime.getOrder()[position];
    loc = storage.getSteps()[step].op->getLoc();
    at = "at '" + storage.getStepName(step) + "'";
    live = lifetime.getLiveStorages(position);
  }
  Misfit misfit = {
      loc,
      "the program needs " + std::to_string(lifetime.getPeakBytes(tier)) +
          " bytes of tier '" + holds.getName().str() + "' " + at +
          ", and it holds " + std::to_string(holds.getCapacity()) + " bytes",
      {}};
  for (StorageId id : live) {
    const Storage &entry = storage.getStorage(id);
    if (misfit.buffers.size() == kShown)
      break;
    if (entry.tier == tier && entry.root)
      misfit.buffers.push_back(
          {entry.root.getLoc(), storage.getStorageName(id) + " takes " +
                                    std::to_string(entry.getFootprint()) +
                                    " bytes there"});
  }
  return misfit;
}

std::optional<Misfit> pebble::findMisfit(FunctionOpInterface entry,
                                         const AnalysisOptions &options,
                                         const Prediction &prediction) {
  HierarchyAttr hierarchy = lookupHierarchy(entry);
  if (!hierarchy || !entry.getFunctionBody().hasOneBlock())
    return std::nullopt;
  for (TierAttr tier :
       hierarchy.getTiers().drop_front(hierarchy.getComputeTierIndex())) {
    if (!tier.isBounded() ||
        getBytesOf(prediction.peak, tier.getName().str()) <= tier.getCapacity())
      continue;
    ProgramContext context(options);
    StorageAnalysis storage(entry.getFunctionBody().front(), context);
    LifetimeAnalysis lifetime(storage);
    const bool isCompute = tier == hierarchy.getComputeTier();
    return describe(lifetime, isCompute ? StringRef() : tier.getName(), tier);
  }
  return std::nullopt;
}

void pebble::explainMisfit(const Misfit &misfit) {
  InFlightDiagnostic error = emitError(misfit.loc) << misfit.text;
  for (const auto &[loc, text] : misfit.buffers)
    error.attachNote(loc) << text;
  error.attachNote()
      << "pebble-opt --pebble-schedule plans a program for what "
         "its compute tier holds; means=both lets it move values "
         "to slower tiers, budget=min finds the least";
}
