//===- EnergyOrders.cpp - orders where caches price accesses --------------===//

#include "EnergyOrders.h"

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Analysis/Traffic.h"
#include "pebble/Solver/Graph/EnergyOrder.h"

using namespace mlir;

namespace pebble {

bool hasCaches(const game::Problem &problem) {
  return llvm::any_of(problem.hierarchy.tiers, [](const game::Tier &tier) {
    return tier.kind == game::TierKind::Cache;
  });
}

EnergyOrders findEnergyOrders(const StorageAnalysis &analysis,
                              const BlockProblem &built,
                              const ScheduleRequest &request, int64_t budget,
                              const graph::Limits &limits) {
  graph::EnergyOrderOptions options;
  options.seed = request.seed;
  options.limits = limits;
  options.peakLimit = budget;
  game::Schedule found = graph::energyOrder(
      built.problem,
      request.cacheModel == CacheModel::Lru ? graph::CacheModel::Lru
                                            : graph::CacheModel::Sutro,
      options);
  EnergyOrders result;
  result.limited = found.limited;
  result.orders.push_back({game::givenOrder(built.problem), "given"});
  if (found.status != game::Status::Optimal &&
      found.status != game::Status::Feasible)
    return result;
  result.orders.push_back({graph::orderOfSchedule(found), found.solver});
  auto getEnergy = [&](const NamedOrder &entry) {
    LifetimeAnalysis lifetime(analysis, entry.order);
    return TrafficAnalysis(lifetime, HierarchyCosts::get(request.hierarchy),
                           request.cacheModel)
        .getEnergy();
  };
  if (getEnergy(result.orders[1]) < getEnergy(result.orders[0]))
    std::swap(result.orders[0], result.orders[1]);
  return result;
}

} // namespace pebble
