//===- Random.h - random numbers that are the same everywhere ---*- C++ -*-===//

#ifndef PEBBLE_LIB_SOLVER_GRAPH_RANDOM_H
#define PEBBLE_LIB_SOLVER_GRAPH_RANDOM_H

#include <cstdint>

namespace pebble::graph {

/// splitmix64: small, good enough for search, and, unlike the distributions of
/// the standard library, the same on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
  }
  /// A number from 0 to bound - 1; 0 if bound is 0.
  uint64_t below(uint64_t bound) { return bound ? next() % bound : 0; }

private:
  uint64_t state;
};

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_GRAPH_RANDOM_H
