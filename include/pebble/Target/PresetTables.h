//===- PresetTables.h - the figures of known machines -----------*- C++ -*-===//
//
// Plain numbers without a compiler, so that tools that read no IR can name the
// same machines. Where every figure comes from is said in PresetTables.cpp and
// in docs/Targets.md.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_TARGET_PRESETTABLES_H
#define PEBBLE_TARGET_PRESETTABLES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pebble {

/// One tier of a preset; units as in `#pebble.tier`.
struct PresetTier {
  std::string name;
  bool isCache = false;
  /// Bytes; INT64_MAX is unbounded.
  int64_t capacity = INT64_MAX;
  /// Femtojoules per byte.
  int64_t read = 0;
  int64_t write = 0;
  /// Bytes per microsecond (MB/s); 0 is not known.
  int64_t bandwidth = 0;
  /// Nanoseconds.
  int64_t latency = 0;
};

/// Ranks that are linked to each other; units as in `#pebble.group`.
struct PresetGroup {
  std::string name;
  int64_t size = 0;
  /// Bytes per microsecond (MB/s).
  int64_t bandwidth = 0;
  /// Nanoseconds.
  int64_t latency = 0;
  /// Femtojoules per byte.
  int64_t energy = 0;
};

/// A machine: tiers, fastest first.
struct Preset {
  std::string name;
  std::vector<PresetTier> tiers;
  /// Caches hold what faster ones hold too; their capacities do not add up.
  bool inclusive = false;
  /// Femtojoules per arithmetic operation.
  int64_t compute = 0;
  /// Arithmetic operations per second; 0 is not known.
  int64_t speed = 0;
  /// What lies between several of these, the smallest group first; none if
  /// programs run on one.
  std::vector<PresetGroup> groups = {};
  /// How many take part, where there are groups.
  int64_t ranks = 0;
  /// The place of each rank, where they do not stand in their order.
  std::vector<int64_t> places = {};
};

/// What stands behind `host-` in the name of a preset, at most.
inline constexpr int64_t kMostProcesses = 4096;

/// Names of all presets, in the order in which documentation lists them.
const std::vector<std::string_view> &getPresetNames();

/// The machine called `name`; nothing if there is none. `host` is read from the
/// system at every call. `host-N` is the host with N processes, for any N up to
/// kMostProcesses; the list of names has one of them.
std::optional<Preset> getPresetTable(std::string_view name);

} // namespace pebble

#endif // PEBBLE_TARGET_PRESETTABLES_H
