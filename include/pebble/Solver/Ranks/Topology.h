//===- Topology.h - what lies between ranks ---------------------*- C++ -*-===//
//
// Groups of ranks, the smallest first, each with the speed of its links. A
// message goes through the smallest group that both of its ranks are in, and
// takes the latency and its bytes at the bandwidth of that group (the model of
// alpha and beta). Knows no program.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_RANKS_TOPOLOGY_H
#define PEBBLE_SOLVER_RANKS_TOPOLOGY_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pebble::ranks {

struct Group {
  std::string name;
  /// Ranks in one group: a multiple of the size before it.
  int64_t size = 1;
  /// Bytes per microsecond that a rank sends, and as many that it receives.
  int64_t bandwidth = 1;
  /// Nanoseconds.
  int64_t latency = 0;
  /// Femtojoules per byte.
  int64_t energy = 0;
};

struct Topology {
  /// The smallest first.
  std::vector<Group> groups;
  int64_t ranks = 1;
  /// The place of each rank; empty where rank r is at place r.
  std::vector<int64_t> places;

  int64_t getPlace(int64_t rank) const {
    return places.empty() ? rank : places[static_cast<size_t>(rank)];
  }
  /// Which group a message between two ranks goes through; nothing if there is
  /// no route.
  std::optional<size_t> findRoute(int64_t from, int64_t to) const;
};

/// Nanoseconds of a message of `bytes` through `group`, rounded up; saturates.
int64_t getMessageTime(const Group &group, int64_t bytes);

} // namespace pebble::ranks

#endif // PEBBLE_SOLVER_RANKS_TOPOLOGY_H
