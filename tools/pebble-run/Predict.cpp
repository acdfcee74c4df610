//===- Predict.cpp - what the meter will read -----------------------------===//

#include "Predict.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/Traffic.h"
#include "pebble/Dialect/Placement.h"

using namespace mlir;
using namespace pebble;

std::string pebble::getComputeTierName(Operation *op) {
  if (HierarchyAttr hierarchy = lookupHierarchy(op)) {
    HierarchyCosts costs = HierarchyCosts::get(hierarchy);
    if (costs.getComputeTier() < costs.tiers.size())
      return costs.tiers[costs.getComputeTier()].name;
  }
  return "default";
}

FailureOr<Prediction> pebble::predict(FunctionOpInterface entry) {
  if (!entry.getFunctionBody().hasOneBlock())
    return entry.emitError("cannot predict the memory of a function of several "
                           "blocks");
  ProgramContext context(AnalysisOptions::getDefault());
  StorageAnalysis storage(entry.getFunctionBody().front(), context);
  if (failed(storage.verify()))
    return failure();
  LifetimeAnalysis lifetime(storage);
  Prediction prediction;
  for (StringRef tier : lifetime.getTiers())
    if (int64_t bytes = lifetime.getPeakBytes(tier))
      prediction.peak[tier.empty() ? getComputeTierName(entry) : tier.str()] =
          bytes;
  if (HierarchyAttr hierarchy = lookupHierarchy(entry)) {
    TrafficAnalysis traffic(lifetime, HierarchyCosts::get(hierarchy),
                            CacheModel::Lru);
    for (const auto &[route, bytes] : traffic.getMovedBytes())
      if (bytes)
        prediction.moved[route] = bytes;
  }
  return prediction;
}
