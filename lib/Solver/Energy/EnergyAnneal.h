//===- EnergyAnneal.h - annealing over orders -------------------*- C++ -*-===//
//
// The bounded search of EnergyOrder: moves single steps along the order and
// accepts as annealing does, at the price of one exchange of neighbours per
// place looked at.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_ENERGY_ENERGYANNEAL_H
#define PEBBLE_LIB_SOLVER_ENERGY_ENERGYANNEAL_H

#include "pebble/Solver/Energy/EnergyTouches.h"
#include "pebble/Solver/Graph/Limits.h"

#include <functional>
#include <optional>

namespace pebble::graph {

/// One run of the search.
struct AnnealTask {
  uint64_t seed = 1;
  std::vector<Id> start;
  int64_t peakLimit = kUnbounded;
  /// Exchanges that it may try; 0: no limit.
  int64_t iterations = 0;
  Limits limits;
  /// Judges orders that look best, where the kept energy is not the model's:
  /// called rarely, returns the true energy.
  std::function<int64_t(const std::vector<Id> &)> judge;
};

struct AnnealResult {
  /// The best order met within the peak limit; empty if none was.
  std::vector<Id> order;
  /// Its kept energy, or the judge's where there is one.
  int64_t energy = 0;
  int64_t iterations = 0;
  /// The deadline ended it.
  bool late = false;
};

/// Anneals from task.start. The order of least energy that it meets is never
/// worse than the start. Deterministic unless the deadline ends it.
AnnealResult annealEnergyOrder(const TouchTable &table, const AnnealTask &task);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_ENERGY_ENERGYANNEAL_H
