//===- EnergyBound.h - what no order can do without -------------*- C++ -*-===//
//
// A lower bound on the energy of every legal order, from what must lie between
// two accesses of one item whatever the order.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ENERGY_ENERGYBOUND_H
#define PEBBLE_SOLVER_ENERGY_ENERGYBOUND_H

#include "pebble/Solver/Energy/EnergyTouches.h"

namespace pebble::graph {

/// Femtojoules that every legal order costs at least.
struct EnergyBound {
  /// Bound on the whole order.
  int64_t total = 0;
  /// Of it, what does not depend on when other steps run: first writes and
  /// repeated accesses within a step. By step.
  std::vector<int64_t> fixedPerStep;
  /// Bound on each touch of the table by itself (0 where the item is made).
  /// The sum of these and the fixed part is a bound too, at most `total`.
  std::vector<int64_t> perTouch;
};

/// The bound for `table`, which was built from `problem` for `model`.
///
/// A touch of v by s follows another touch of v by some step p, or the initial
/// stack. Its distance is at least the sizes of the distinct items that
///   - s accesses up to v,
///   - p accesses after v (model `lru`), or
///   - a step touches that must run after p and before s,
/// as far as they are alive at s in every order: because they never leave, or s
/// or a step that must run after s touches them. The touches of v form a chain
/// in time, so each touch follows a different one: a least-cost assignment of
/// followers, item by item, bounds the sum.
///
/// Time O(sum over items with k touches of k^3 + k^2 n), usually far less.
/// Problems of more than `kPairLimit` steps get the first of the three alone.
EnergyBound boundEnergy(const Problem &problem, const TouchTable &table,
                        CacheModel model);

constexpr size_t kPairLimit = 6000;

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_ENERGY_ENERGYBOUND_H
