//===- Figures.h - the largest figures of machines --------------*- C++ -*-===//

#ifndef PEBBLE_DIALECT_FIGURES_H
#define PEBBLE_DIALECT_FIGURES_H

#include <cstdint>

namespace pebble {

/// Nanoseconds, of a tier or of links: eleven days. Sums of more would soon be
/// beyond 64 bits.
inline constexpr int64_t kLongestLatency = 1'000'000'000'000'000;

} // namespace pebble

#endif // PEBBLE_DIALECT_FIGURES_H
