//===- Hierarchy.h - the memory tiers a game is played on -------*- C++ -*-===//
//
// Plain numbers, no compiler: what Target reads off a module and what an
// instance file names by preset. Figures are integers so that a schedule costs
// the same on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_GAME_HIERARCHY_H
#define PEBBLE_SOLVER_GAME_HIERARCHY_H

#include <cstdint>
#include <string>
#include <vector>

namespace pebble::game {

/// Capacity of a tier without a limit.
constexpr int64_t kUnbounded = INT64_MAX;

/// Who decides what is in a tier: the hardware (priced by reuse distance) or
/// the program (by store, load and drop).
enum class TierKind { Cache, Explicit };

/// One level of memory.
struct Tier {
  std::string name;
  TierKind kind = TierKind::Explicit;
  /// Bytes, or kUnbounded.
  int64_t capacity = kUnbounded;
  /// Energy of one byte read from, or written to, the tier (femtojoules).
  int64_t readEnergy = 0;
  int64_t writeEnergy = 0;
  /// Bytes per microsecond (that is MB/s); 0 where unknown.
  int64_t bandwidth = 0;
  /// Nanoseconds of one access or the start of one transfer.
  int64_t latency = 0;
};

/// How the capacities of the cache tiers bound a reuse distance: each cache
/// holds what the faster ones do not (thresholds add up), or also what they do
/// (each threshold stands alone).
enum class Inclusion { Exclusive, Inclusive };

/// The tiers, fastest first. Cache tiers come before the compute tier, which is
/// the first explicit one.
struct Hierarchy {
  std::string name;
  std::vector<Tier> tiers;
  Inclusion inclusion = Inclusion::Exclusive;

  /// Index of the first explicit tier; tiers.size() if there is none.
  size_t computeTier() const {
    size_t i = 0;
    while (i < tiers.size() && tiers[i].kind == TierKind::Cache)
      ++i;
    return i;
  }
};

} // namespace pebble::game

#endif // PEBBLE_SOLVER_GAME_HIERARCHY_H
