//===- EnergyModel.h - what the accesses of an order cost -------*- C++ -*-===//
//
// Prices an order of steps on a hierarchy with cache tiers: each access is
// served from the tier that its reuse distance fits, and costs its bytes times
// the energy of that tier. Two models of what a cache remembers exist; a figure
// is always given with the name of its model. This file only judges orders;
// EnergyOrder looks for good ones.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ENERGY_ENERGYMODEL_H
#define PEBBLE_SOLVER_ENERGY_ENERGYMODEL_H

#include "pebble/Solver/Game/Problem.h"

#include <optional>
#include <string>

namespace pebble::graph {

using game::Hierarchy;
using game::Id;
using game::kNone;
using game::kUnbounded;
using game::Problem;

/// What a cache remembers, and when.
enum class CacheModel {
  /// True LRU over storages. Every access, read or write, moves its storage to
  /// the top of the stack at once; an update in place is an access like any
  /// other. Initial storages start on the stack, the first listed on top. The
  /// first write of any other storage finds nothing to reuse and is priced by
  /// the size of the storage. A storage leaves the stack after the step that
  /// accesses it last in the order, unless it is initial or holds a required
  /// value: those never leave.
  Lru,
  /// The bookkeeping of the published sparse-parity experiment. It knows
  /// values,
  /// not storages: an update in place makes a new tensor. The stack is sorted
  /// by
  /// the step of the last touch, newest first; among values that one step
  /// touched last, the one made first is on top. Every write is priced by the
  /// size of its storage. After each step the values leave that no later step
  /// reads, except initial ones and the results of the step itself.
  Sutro
};
const char *toString(CacheModel model);
std::optional<CacheModel> parseCacheModel(const std::string &name);

/// Energy of one byte by reuse distance, from a hierarchy. Distances up to
/// `reach[i]` are served from tier i; the last tier is the compute tier, which
/// serves everything else. A first write of `bytes` goes to the first tier
/// whose own capacity (`room`) takes it.
struct TierPrices {
  std::vector<int64_t> reach, room, read, write;

  /// Prices of the cache tiers and the compute tier of `hierarchy`. Without any
  /// tier everything is served from one tier at no cost.
  explicit TierPrices(const Hierarchy &hierarchy);

  /// Number of tiers that serve accesses: the caches and the compute tier.
  size_t size() const { return reach.size(); }
  /// The tier that serves an access at `distance` bytes.
  size_t tierAtDistance(int64_t distance) const {
    return first(reach, distance);
  }
  /// The tier that takes the first write of `bytes`.
  size_t tierForNew(int64_t bytes) const { return first(room, bytes); }

private:
  static size_t first(const std::vector<int64_t> &limits, int64_t amount) {
    size_t i = 0;
    while (i + 1 < limits.size() && amount > limits[i])
      ++i;
    return i;
  }
};

/// How one access was served.
struct ServedAccess {
  Id step = kNone;
  Id value = kNone;
  bool isWrite = false;
  /// Bytes of distinct live storages touched since the last access, its own
  /// included; the size of the storage where a write was priced by size.
  int64_t distance = 0;
  /// Index into Hierarchy::tiers.
  size_t tier = 0;
  /// Femtojoules.
  int64_t energy = 0;
};

/// What an order costs. Compute energy is not part of it: no order changes it.
struct EnergyReport {
  /// Femtojoules, in total and by tier that served (caches and compute tier).
  int64_t total = 0;
  std::vector<int64_t> perTier;
  /// Every access in the order in which it happens.
  std::vector<ServedAccess> accesses;
};

/// Prices `order`, which lists every step of `problem` once in a legal order
/// (not checked). Time O(A log A) for A accesses.
EnergyReport evaluateEnergy(const Problem &problem,
                            const std::vector<Id> &order, CacheModel model);

/// The total of evaluateEnergy() without the list of accesses.
int64_t energyOfOrder(const Problem &problem, const std::vector<Id> &order,
                      CacheModel model);

/// Average reuse distance in the published sense, in bytes: a clock advances by
/// the bytes of every read and write (initial storages are written first, in
/// the order listed); a read's distance is the clock minus the clock at the
/// start of the last write of its storage; reads are weighted by their bytes.
/// 0 where nothing is read. Time O(A).
double averageReuseDistance(const Problem &problem,
                            const std::vector<Id> &order);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_ENERGY_ENERGYMODEL_H
