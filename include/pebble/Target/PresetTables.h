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
};

/// Names of all presets, in the order in which documentation lists them.
const std::vector<std::string_view> &getPresetNames();

/// The machine called `name`; nothing if there is none. `host` is read from the
/// system at every call.
std::optional<Preset> getPresetTable(std::string_view name);

} // namespace pebble

#endif // PEBBLE_TARGET_PRESETTABLES_H
