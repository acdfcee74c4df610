//===- ReversalCosts.cpp - prices of a loop's steps and states ------------===//

#include "Loops/ReversalCosts.h"

#include "pebble/Dialect/Placement.h"
#include "pebble/Solver/Timeline/Timeline.h"
#include "pebble/Target/OpCost.h"
#include "pebble/Target/TargetHierarchy.h"

#include <numeric>

using namespace mlir;

namespace pebble {

static std::optional<ReversalCosts> getTimes(AdjointLoopOp loop,
                                             HierarchyAttr hierarchy,
                                             TierAttr slow, int64_t stateBytes,
                                             OpCostModel &model) {
  TierAttr fast = hierarchy.getComputeTier();
  if (slow.getBandwidth() == 0)
    return std::nullopt;
  ReversalCosts costs;
  costs.forward = 0;
  for (Operation &op : loop.getPrimal().front().without_terminator()) {
    OpCost cost = model.estimate(&op);
    if (cost.given) {
      costs.forward = addCounts(costs.forward, *cost.given);
      continue;
    }
    if (cost.getBytes() == 0)
      continue;
    if (fast.getBandwidth() == 0)
      return std::nullopt;
    costs.forward =
        addCounts(costs.forward,
                  timeline::getAccessTime(cost.getBytes(), fast.getBandwidth(),
                                          fast.getLatency()));
  }
  int64_t bandwidth = fast.getBandwidth() == 0
                          ? slow.getBandwidth()
                          : std::min(fast.getBandwidth(), slow.getBandwidth());
  costs.store = costs.load = timeline::getAccessTime(
      stateBytes, bandwidth, std::max(fast.getLatency(), slow.getLatency()));
  return costs;
}

static std::optional<ReversalCosts>
getEnergies(AdjointLoopOp loop, HierarchyAttr hierarchy, TierAttr slow,
            int64_t stateBytes, OpCostModel &model) {
  if (!hasEnergies(hierarchy))
    return std::nullopt;
  TierAttr fast = hierarchy.getComputeTier();
  ReversalCosts costs;
  costs.forward = 0;
  for (Operation &op : loop.getPrimal().front().without_terminator()) {
    OpCost cost = model.estimate(&op);
    int64_t moved =
        addCounts(multiplyCounts(cost.bytesRead, fast.getRead()),
                  multiplyCounts(cost.bytesWritten, fast.getWrite()));
    costs.forward = addCounts(
        costs.forward, addCounts(getComputeEnergy(cost, hierarchy), moved));
  }
  costs.store =
      multiplyCounts(stateBytes, addCounts(fast.getRead(), slow.getWrite()));
  costs.load =
      multiplyCounts(stateBytes, addCounts(slow.getRead(), fast.getWrite()));
  return costs;
}

/// Small numbers in the same proportions: sums of many must fit into 64 bits.
static ReversalCosts scale(ReversalCosts costs) {
  costs.forward = std::max<int64_t>(costs.forward, 1);
  int64_t common = std::gcd(costs.forward, std::gcd(costs.store, costs.load));
  constexpr int64_t kMostForward = 1 << 16, kMostTransfer = 1 << 30;
  while (costs.forward / common > kMostForward ||
         std::max(costs.store, costs.load) / common > kMostTransfer)
    common *= 2;
  for (int64_t *cost : {&costs.forward, &costs.store, &costs.load})
    *cost = static_cast<int64_t>(
        llvm::divideCeil(*cost, static_cast<uint64_t>(common)));
  return costs;
}

FailureOr<std::optional<ReversalCosts>>
priceReversal(AdjointLoopOp loop, const GivenCosts &given, TierAttr slow,
              int64_t stateBytes, ScheduleObjective objective,
              ProgramContext &context) {
  if (given.forward || given.store || given.load) {
    if (!given.store || !given.load)
      return loop.emitError("'store-cost' and 'load-cost' belong together, and "
                            "'forward-cost' to them");
    return std::optional(
        ReversalCosts{given.forward.value_or(1), *given.store, *given.load});
  }
  HierarchyAttr hierarchy = lookupHierarchy(loop);
  OpCostModel model({context.getOptions().dynamicDimBound});
  std::optional<ReversalCosts> costs =
      objective == ScheduleObjective::Energy
          ? getEnergies(loop, hierarchy, slow, stateBytes, model)
          : getTimes(loop, hierarchy, slow, stateBytes, model);
  if (costs)
    costs = scale(*costs);
  return costs;
}

} // namespace pebble
