//===- EnergyOrders.h - orders where caches price accesses ------*- C++ -*-===//
//
// Where the hierarchy has caches, what an access costs depends on the order:
// asks for a cheap one within a budget. Private to Planning.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_ENERGYORDERS_H
#define PEBBLE_LIB_PLANNING_ENERGYORDERS_H

#include "pebble/Planning/BuildProblem.h"
#include "pebble/Planning/PlanSchedule.h"

namespace pebble {

bool hasCaches(const game::Problem &problem);

struct NamedOrder {
  std::vector<game::Id> order;
  std::string solver;
};

struct EnergyOrders {
  /// Orders of all steps, the cheaper one first: the one that came in, and the
  /// one that was found, if one was.
  std::vector<NamedOrder> orders;
  bool limited = false;
};

/// `budget` is as the game counts; the order that came in may exceed it.
EnergyOrders findEnergyOrders(const StorageAnalysis &analysis,
                              const BlockProblem &built,
                              const ScheduleRequest &request, int64_t budget,
                              const graph::Limits &limits);

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_ENERGYORDERS_H
