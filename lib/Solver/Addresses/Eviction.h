//===- Eviction.h - room by pushing others out ------------------*- C++ -*-===//
//
// Looks for offsets within a given extent, one block after the other: a block
// lies where the least is in its way, and what is in its way is pushed out and
// placed anew. What is pushed out often counts for more each time, so that the
// search does not go in circles (weights as in the breakout method: P. Morris,
// The Breakout Method for Escaping from Local Minima, AAAI 1993). Proves
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_ADDRESSES_EVICTION_H
#define PEBBLE_LIB_SOLVER_ADDRESSES_EVICTION_H

#include "Stack.h"

#include "Solver/Graph/Random.h"

#include <cstdint>
#include <vector>

namespace pebble::addresses {

/// The search on one component; neighbours are found once.
class EvictionSearch {
public:
  explicit EvictionSearch(const Component &component);

  /// What the tables of a search on `component` will take. Time linear.
  static uint64_t countBytes(const Component &component);

  /// Offsets by block within `extent`, starting from `offsets` (what sticks out
  /// is placed anew). `effort` counts neighbours looked at. False if none were
  /// found; `offsets` are then of no use.
  bool find(int64_t extent, Effort &effort, graph::Random &random,
            std::vector<int64_t> &offsets);

private:
  struct Candidate {
    int64_t offset = 0;
    double cost = 0;
  };
  Candidate choose(uint32_t block, graph::Random &random);
  double getWeight(uint32_t block) const;
  /// The highest offset at which the block lies below the ceiling.
  int64_t getHighest(uint32_t block) const;
  void pushOut(uint32_t block, int64_t offset);

  const Component &component;
  std::vector<std::vector<uint32_t>> neighbours;
  /// Blocks that live throughout; they lie at the bottom.
  std::vector<uint32_t> always;
  int64_t floor = 0, ceiling = 0;
  std::vector<int64_t> at;
  std::vector<bool> isPlaced;
  std::vector<uint32_t> waiting;
  std::vector<double> weights;
  /// Of choose(): begins and ends of what lies beside the block.
  std::vector<std::pair<int64_t, double>> begins, ends;
  std::vector<int64_t> tries;
};

} // namespace pebble::addresses

#endif // PEBBLE_LIB_SOLVER_ADDRESSES_EVICTION_H
