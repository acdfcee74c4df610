//===- Traffic.h - bytes moved, energy, reuse distances ---------*- C++ -*-===//
//
// Prices every access of a block by the tier that serves it. Cache tiers are
// priced by reuse distance under one of two models (docs/PebbleGame.md,
// section "Energy"): `lru`, a true LRU stack of storages, and `sutro`, the
// bookkeeping of the published experiment, kept for comparison with its
// numbers. Integers throughout: femtojoules and bytes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_TRAFFIC_H
#define PEBBLE_ANALYSIS_TRAFFIC_H

#include "pebble/Analysis/Lifetime.h"
#include "pebble/Dialect/PebbleDialect.h"

#include <map>

namespace pebble {

enum class CacheModel { Lru, Sutro };
llvm::StringRef toString(CacheModel model);

/// The tiers as Traffic needs them, fastest first.
struct TierCosts {
  std::string name;
  bool isCache = false;
  /// Bytes; max() if unbounded.
  int64_t capacity = std::numeric_limits<int64_t>::max();
  /// Femtojoules per byte.
  int64_t readEnergy = 0;
  int64_t writeEnergy = 0;
};
struct HierarchyCosts {
  std::vector<TierCosts> tiers;
  /// Capacities of caches add up (each holds what the faster ones do not).
  bool exclusive = true;
  unsigned getComputeTier() const;
  /// The tier that serves an access at this reuse distance.
  unsigned serve(int64_t distance) const;
  static HierarchyCosts get(HierarchyAttr hierarchy);
};

/// One access, priced.
struct PricedAccess {
  unsigned position; ///< of the step in the order
  Access access;
  /// Bytes of distinct storages touched since the last access of this one, its
  /// own included; nothing for the first access of a storage made here.
  std::optional<int64_t> reuseDistance;
  unsigned tier; ///< that serves it
  int64_t energy;
};

class TrafficAnalysis {
public:
  /// `order` as in LifetimeAnalysis.
  TrafficAnalysis(const LifetimeAnalysis &lifetime, HierarchyCosts hierarchy,
                  CacheModel model);

  llvm::ArrayRef<PricedAccess> getAccesses() const { return accesses; }
  /// Energy of the accesses served by each tier plus its share of the moves.
  llvm::ArrayRef<int64_t> getEnergyPerTier() const { return energyPerTier; }
  int64_t getEnergy() const;
  /// Bytes stored and loaded, by "from->to".
  const std::map<std::string, int64_t> &getMovedBytes() const { return moved; }
  /// False if something moves in a loop of which nobody knows how often it
  /// runs: it is not among them.
  bool movedBytesAreKnown() const { return movesAreKnown; }
  /// True if some of them move only where a branch is taken.
  bool movedBytesAreBound() const { return movesAreBound; }
  /// Average reuse distance in the published sense, in bytes: a clock of bytes
  /// accessed; a read's distance is the clock minus the clock at the start of
  /// the last write of its storage; weighted by size. Nothing without reads.
  std::optional<double> getAverageReuseDistance() const { return ard; }
  const HierarchyCosts &getHierarchy() const { return hierarchy; }

private:
  void runLru();
  void runSutro();
  class SutroList;
  void runAverageReuseDistance();
  void runMoves();
  void runInnerMoves(mlir::Operation *step);
  unsigned serveWrite(int64_t bytes) const;
  void charge(unsigned position, const Access &access,
              std::optional<int64_t> distance, unsigned tier);

  const LifetimeAnalysis *lifetime;
  HierarchyCosts hierarchy;
  std::vector<PricedAccess> accesses;
  llvm::SmallVector<int64_t> energyPerTier;
  std::map<std::string, int64_t> moved;
  bool movesAreKnown = true, movesAreBound = false;
  std::optional<double> ard;
};

} // namespace pebble

#endif // PEBBLE_ANALYSIS_TRAFFIC_H
