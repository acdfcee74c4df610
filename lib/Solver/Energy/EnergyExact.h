//===- EnergyExact.h - the least energy, proven -----------------*- C++ -*-===//
//
// Branch and bound over prefixes of orders, for problems of up to 64 steps.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_ENERGY_ENERGYEXACT_H
#define PEBBLE_LIB_SOLVER_ENERGY_ENERGYEXACT_H

#include "pebble/Solver/Energy/EnergyBound.h"
#include "pebble/Solver/Graph/Limits.h"

namespace pebble::graph {

/// What the exact search found.
struct EnergyExactResult {
  /// The whole space was searched: `order` is optimal, or, where it is empty,
  /// no order beats the one to beat.
  bool complete = false;
  std::vector<Id> order;
  int64_t energy = 0;
  /// Prefixes visited.
  int64_t visited = 0;
};

constexpr size_t kExactSteps = 64;

struct EnergyExactLimits {
  /// Femtojoules that an order must stay below to be of interest.
  int64_t toBeat = INT64_MAX;
  /// Bytes that may be live while a step runs.
  int64_t peak = kUnbounded;
  /// Prefixes to visit at most.
  int64_t visits = INT64_MAX;
  Limits limits;
};

/// Looks for the order of least energy within `limits`.
///
/// A prefix is cut if its energy plus the bound of each touch to come reaches
/// the best known, or if a prefix of the same steps that left the same stack
/// cost no more: from there on both have the same future. `toBeat` makes the
/// first cut strong, so search first and prove afterwards.
EnergyExactResult exactEnergyOrder(const Problem &problem,
                                   const TouchTable &table,
                                   const EnergyBound &bound, CacheModel model,
                                   const EnergyExactLimits &limits);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_ENERGY_ENERGYEXACT_H
