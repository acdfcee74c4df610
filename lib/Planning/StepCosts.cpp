//===- StepCosts.cpp - what one run of each step costs --------------------===//

#include "pebble/Planning/StepCosts.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/PebbleAttrNames.h"
#include "pebble/Dialect/PebbleStarts.h"
#include "pebble/Planning/Communication.h"
#include "pebble/Solver/Timeline/Timeline.h"
#include "pebble/Target/CostProfile.h"
#include "pebble/Target/TargetHierarchy.h"

using namespace mlir;

namespace pebble {

StringRef toString(ScheduleObjective objective) {
  switch (objective) {
  case ScheduleObjective::Energy:
    return "energy";
  case ScheduleObjective::Time:
    return "time";
  case ScheduleObjective::Recompute:
    return "recompute";
  }
  llvm_unreachable("covered switch");
}

static OpCostModel getModel(const StorageAnalysis &storage) {
  return OpCostModel({storage.getContext().getOptions().dynamicDimBound});
}

/// Nanoseconds that one access of `bytes` takes in `tier`.
static int64_t getAccessTime(TierAttr tier, int64_t bytes) {
  return timeline::getAccessTime(bytes, tier.getBandwidth(), tier.getLatency());
}

bool hasStepTimes(const StorageAnalysis &storage) {
  const auto &profile = storage.getContext().getOptions().costs;
  return profile && !profile->getOps().empty();
}

std::vector<StepTime> getStepTimes(const StorageAnalysis &storage) {
  const CostProfile &profile = *storage.getContext().getOptions().costs;
  OpCostModel model = getModel(storage);
  std::vector<StepTime> times;
  for (const Step &step : storage.getSteps()) {
    OpCost cost = model.estimate(step.op);
    StepTime time;
    // What touches nothing takes no time worth measuring; transfers are priced
    // by their tiers, and what ranks do together by the topology.
    bool isFree = (cost.flops == 0 && cost.getBytes() == 0) ||
                  isMoveOrMark(step.op) || isCollective(step.op);
    if (cost.given) {
      time.nanoseconds = *cost.given;
    } else if (!isFree) {
      time.measured = profile.estimate(OpSignature::get(step.op), cost);
      time.nanoseconds = time.measured->nanoseconds;
    }
    times.push_back(time);
  }
  return times;
}

/// What the machine says itself: a step takes as long as its arithmetic or its
/// accesses, whichever take longer.
static int64_t getStatedTime(const Step &step, const OpCost &cost,
                             HierarchyAttr hierarchy) {
  TierAttr tier = hierarchy.getComputeTier();
  int64_t time = 0;
  for (const Access &access : step.accesses)
    if (access.kind != AccessKind::Hold && tier.getBandwidth())
      time = addCounts(time, getAccessTime(tier, access.bytes));
  return std::max(time, getArithmeticTime(cost, hierarchy));
}

static bool statesTimes(HierarchyAttr hierarchy) {
  return hierarchy && (hierarchy.getComputeTier().getBandwidth() != 0 ||
                       hierarchy.getSpeed() != 0);
}

static InFlightDiagnostic refuseTime(Operation *op, HierarchyAttr hierarchy) {
  if (!hierarchy)
    hierarchy = getDefaultHierarchy(op->getContext());
  return emitError(op->getLoc())
         << "a time objective needs a pebble.cost here, or a memory hierarchy "
            "whose compute tier has a bandwidth or which has a speed, or "
            "measured costs (--costs); tier '"
         << hierarchy.getComputeTier().getName() << "' has no bandwidth";
}

static FailureOr<std::vector<int64_t>> getTimes(const StorageAnalysis &storage,
                                                HierarchyAttr hierarchy) {
  if (hasStepTimes(storage)) {
    std::vector<int64_t> times;
    for (const StepTime &time : getStepTimes(storage))
      times.push_back(time.nanoseconds);
    return times;
  }
  OpCostModel model = getModel(storage);
  std::vector<int64_t> costs;
  for (const Step &step : storage.getSteps()) {
    OpCost cost = model.estimate(step.op);
    if (cost.given) {
      costs.push_back(*cost.given);
      continue;
    }
    if (!statesTimes(hierarchy))
      return refuseTime(step.op, hierarchy);
    costs.push_back(getStatedTime(step, cost, hierarchy));
  }
  return costs;
}

static std::vector<int64_t> getEnergies(const StorageAnalysis &storage,
                                        HierarchyAttr hierarchy,
                                        CacheModel cacheModel) {
  OpCostModel model = getModel(storage);
  std::vector<int64_t> costs;
  for (const Step &step : storage.getSteps())
    costs.push_back(getComputeEnergy(model.estimate(step.op), hierarchy));
  LifetimeAnalysis lifetime(storage);
  TrafficAnalysis traffic(lifetime, HierarchyCosts::get(hierarchy), cacheModel);
  for (const PricedAccess &access : traffic.getAccesses()) {
    int64_t &cost = costs[access.position];
    cost = addCounts(cost, access.energy);
  }
  return costs;
}

/// What the program moves itself costs what a planned transfer would.
static void priceTransfers(const StorageAnalysis &storage,
                           ScheduleObjective objective, HierarchyAttr hierarchy,
                           std::vector<int64_t> &costs) {
  auto findTier = [&](const Access &access) {
    StringRef name = storage.getStorage(access.storage).tier;
    for (TierAttr tier : hierarchy.getTiers())
      if (tier.getName() == name)
        return tier;
    return hierarchy.getComputeTier();
  };
  for (auto [step, cost] : llvm::zip(storage.getSteps(), costs)) {
    if (!isMoveOrMark(step.op))
      continue;
    cost = 0;
    if (!hierarchy || !isa<StoreOp, LoadOp>(step.op))
      continue;
    TierAttr from, to;
    int64_t bytes = 0;
    for (const Access &access : step.accesses) {
      if (access.kind == AccessKind::Read)
        from = findTier(access);
      else if (access.kind == AccessKind::Write)
        to = findTier(access);
      bytes = std::max(bytes, access.bytes);
    }
    if (!from || !to)
      continue;
    if (objective == ScheduleObjective::Energy) {
      cost = multiplyCounts(bytes, addCounts(from.getRead(), to.getWrite()));
    } else if (objective == ScheduleObjective::Time) {
      TierAttr slow = isa<StoreOp>(step.op) ? to : from;
      if (slow.getBandwidth() != 0)
        cost = getAccessTime(slow, bytes);
    }
  }
}

/// What ranks do together, and what they send each other, beside what the
/// step's own accesses cost. Without a topology nobody knows that.
static LogicalResult priceCommunication(const StorageAnalysis &storage,
                                        ScheduleObjective objective,
                                        HierarchyAttr hierarchy,
                                        std::vector<int64_t> &costs) {
  std::optional<ranks::Topology> topology = getTopology(hierarchy);
  if (!topology || objective == ScheduleObjective::Recompute)
    return success();
  for (auto [step, cost] : llvm::zip(storage.getSteps(), costs)) {
    FailureOr<CommunicationCost> added =
        getCommunicationCost(step.op, *topology);
    if (failed(added))
      return failure();
    if (step.op->hasAttr(attr::kCost))
      continue;
    cost = addCounts(cost, objective == ScheduleObjective::Time
                               ? added->nanoseconds
                               : added->femtojoules);
  }
  return success();
}

FailureOr<std::vector<int64_t>> getStepCosts(const StorageAnalysis &storage,
                                             ScheduleObjective objective,
                                             HierarchyAttr hierarchy,
                                             CacheModel model) {
  std::vector<int64_t> costs;
  switch (objective) {
  case ScheduleObjective::Energy:
    if (!hierarchy || !hasEnergies(hierarchy))
      return emitError(storage.getBlock()->getParentOp()->getLoc())
             << "an energy objective needs a memory hierarchy with energies; "
                "attach one with pebble-attach-target or --target";
    costs = getEnergies(storage, hierarchy, model);
    break;
  case ScheduleObjective::Time: {
    FailureOr<std::vector<int64_t>> times = getTimes(storage, hierarchy);
    if (failed(times))
      return failure();
    costs = std::move(*times);
    break;
  }
  case ScheduleObjective::Recompute: {
    OpCostModel model = getModel(storage);
    for (const Step &step : storage.getSteps())
      costs.push_back(model.estimate(step.op).getWork());
    break;
  }
  }
  priceTransfers(storage, objective, hierarchy, costs);
  if (failed(priceCommunication(storage, objective, hierarchy, costs)))
    return failure();
  return costs;
}

FailureOr<int64_t> getCostOnce(const StorageAnalysis &storage,
                               ScheduleObjective objective,
                               HierarchyAttr hierarchy, CacheModel model) {
  FailureOr<std::vector<int64_t>> costs =
      getStepCosts(storage, objective, hierarchy, model);
  if (failed(costs))
    return failure();
  int64_t sum = 0;
  for (int64_t cost : *costs)
    sum = addCounts(sum, cost);
  return sum;
}

std::optional<int64_t> getCopyCost(const StorageAnalysis &storage,
                                   Operation *copy, ScheduleObjective objective,
                                   HierarchyAttr hierarchy) {
  const OpCost cost = getModel(storage).estimate(copy);
  const int64_t bytes =
      storage.getContext().getBytes(copy->getResult(0).getType()).value_or(0);
  switch (objective) {
  case ScheduleObjective::Recompute:
    return cost.getWork();
  case ScheduleObjective::Energy: {
    TierAttr tier = hierarchy.getComputeTier();
    return addCounts(
        getComputeEnergy(cost, hierarchy),
        multiplyCounts(bytes, addCounts(tier.getRead(), tier.getWrite())));
  }
  case ScheduleObjective::Time:
    if (hasStepTimes(storage))
      return storage.getContext()
          .getOptions()
          .costs->estimate(OpSignature::get(copy), cost)
          .nanoseconds;
    // Where steps say themselves what they take, nobody says it of a copy.
    if (!hierarchy || hierarchy.getComputeTier().getBandwidth() == 0)
      return std::nullopt;
    return multiplyCounts(getAccessTime(hierarchy.getComputeTier(), bytes), 2);
  }
  llvm_unreachable("covered switch");
}

/// A table that has `cost` for each store and load.
static graph::MoveCosts
makeTable(const game::Problem &problem,
          llvm::function_ref<int64_t(const game::Tier &from,
                                     const game::Tier &to, int64_t bytes)>
              cost) {
  const game::Hierarchy &hierarchy = problem.hierarchy;
  size_t compute = hierarchy.computeTier();
  const game::Tier &fast = hierarchy.tiers[compute];
  graph::MoveCosts costs;
  costs.stores.resize(problem.explicitTierCount());
  costs.loads.resize(problem.explicitTierCount());
  for (size_t tier = 1; tier < costs.stores.size(); ++tier) {
    const game::Tier &slow = hierarchy.tiers[compute + tier];
    for (const game::Value &value : problem.values) {
      int64_t bytes = problem.storages[value.storage].bytes;
      costs.stores[tier].push_back(cost(fast, slow, bytes));
      costs.loads[tier].push_back(cost(slow, fast, bytes));
    }
  }
  return costs;
}

graph::MoveCosts getMovedBytes(const game::Problem &problem) {
  return makeTable(problem, [](const game::Tier &, const game::Tier &,
                               int64_t bytes) { return bytes; });
}

FailureOr<graph::MoveCosts> getMoveCosts(const StorageAnalysis &storage,
                                         const game::Problem &problem,
                                         ScheduleObjective objective) {
  Location loc = storage.getBlock()->getParentOp()->getLoc();
  const game::Hierarchy &hierarchy = problem.hierarchy;
  size_t compute = hierarchy.computeTier();
  if (problem.explicitTierCount() < 2)
    return emitError(loc) << "values cannot be offloaded: no tier is slower "
                             "than the compute tier '"
                          << hierarchy.tiers[compute].name << "'";
  graph::MoveCosts costs;
  switch (objective) {
  case ScheduleObjective::Energy:
    costs = makeTable(problem, [](const game::Tier &from, const game::Tier &to,
                                  int64_t bytes) {
      return multiplyCounts(bytes, addCounts(from.readEnergy, to.writeEnergy));
    });
    break;
  case ScheduleObjective::Time: {
    std::optional<timeline::Durations> durations =
        timeline::getDurations(problem, {});
    if (!durations) {
      InFlightDiagnostic error =
          emitError(loc) << "a time objective needs the bandwidth of every "
                            "tier that values may be moved to";
      for (size_t tier = compute + 1; tier < hierarchy.tiers.size(); ++tier)
        if (hierarchy.tiers[tier].bandwidth == 0)
          return error << "; tier '" << hierarchy.tiers[tier].name
                       << "' has none";
      return error;
    }
    costs = {std::move(durations->stores), std::move(durations->loads)};
    break;
  }
  case ScheduleObjective::Recompute:
    costs = makeTable(problem, [](const game::Tier &, const game::Tier &,
                                  int64_t) { return 0; });
    break;
  }
  return costs;
}

/// Of all messages of the block, each sent once. What makes no sense has been
/// said by then (getStepCosts), and costs nothing.
static int64_t getMessageEnergy(const StorageAnalysis &storage,
                                HierarchyAttr hierarchy) {
  int64_t energy = 0;
  if (std::optional<ranks::Topology> topology = getTopology(hierarchy))
    for (const Step &step : storage.getSteps())
      if (FailureOr<CommunicationCost> cost =
              getCommunicationCost(step.op, *topology);
          succeeded(cost) && !step.op->hasAttr(attr::kCost))
        energy = addCounts(energy, cost->femtojoules);
  return energy;
}

int64_t getBlockEnergy(const StorageAnalysis &storage, HierarchyAttr hierarchy,
                       CacheModel cacheModel) {
  LifetimeAnalysis lifetime(storage);
  int64_t energy =
      TrafficAnalysis(lifetime, HierarchyCosts::get(hierarchy), cacheModel)
          .getEnergy();
  energy = addCounts(energy, getMessageEnergy(storage, hierarchy));
  OpCostModel model = getModel(storage);
  for (const Step &step : storage.getSteps())
    energy =
        addCounts(energy, getComputeEnergy(model.estimate(step.op), hierarchy));
  return energy;
}

int64_t getLeastEnergy(const StorageAnalysis &storage,
                       HierarchyAttr hierarchy) {
  HierarchyCosts tiers = HierarchyCosts::get(hierarchy);
  int64_t read = std::numeric_limits<int64_t>::max(), write = read;
  for (unsigned tier = 0; tier <= tiers.getComputeTier(); ++tier) {
    read = std::min(read, tiers.tiers[tier].readEnergy);
    write = std::min(write, tiers.tiers[tier].writeEnergy);
  }
  OpCostModel model = getModel(storage);
  int64_t energy = getMessageEnergy(storage, hierarchy);
  for (const Step &step : storage.getSteps()) {
    energy =
        addCounts(energy, getComputeEnergy(model.estimate(step.op), hierarchy));
    for (const Access &access : step.accesses)
      if (access.kind != AccessKind::Hold)
        energy = addCounts(
            energy,
            multiplyCounts(access.kind == AccessKind::Read ? read : write,
                           access.bytes));
  }
  return energy;
}

} // namespace pebble
