//===- PlaceBuffers.h - offsets with the least extent -----------*- C++ -*-===//
//
// Finds offsets for buffers with fixed lifetimes so that the block of memory
// that holds them ends as low as possible (dynamic storage allocation, offline;
// NP-hard: M. R. Garey, D. S. Johnson, Computers and Intractability (1979),
// SR2).
//
// Buffers that are not linked by lifetimes are placed apart. Greedy placements
// in several orders come first, then exact search at growing extents from the
// lower bound on, which ends in a placement or in a better bound, then a search
// that pushes out what is in the way, and one over the order in which buffers
// are stacked. Small problems are
// solved to the end; large ones answer with the gap between extent and bound.
//
// Exact search stacks buffers, each on the highest one below it, and prunes
// where the bytes that are still to come do not fit above, and where a buffer
// could lie lower than it does. The ideas are of M. D. Moffitt, MiniMalloc: A
// Lightweight Memory Allocator for Hardware-Accelerated Machine Learning
// (ASPLOS 2023). Greedy by size: Y. Pisarchyk, J. Lee, Efficient Memory
// Management for Deep Neural Net Inference (2020).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ADDRESSES_PLACEBUFFERS_H
#define PEBBLE_SOLVER_ADDRESSES_PLACEBUFFERS_H

#include "pebble/Solver/Addresses/Addresses.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"

namespace pebble::addresses {

struct PlaceOptions {
  /// An extent that is low enough: the search ends there. 0: the lower bound.
  int64_t enough = 0;
  /// Offsets are multiples of this; sizes are what they are.
  int64_t alignment = 1;
  /// Buffers looked at by local search; exact search looks at some sections of
  /// 16 times as many. 0: 30 million.
  uint64_t effort = 0;
  uint64_t seed = 0;
  graph::Limits limits;
  /// Empty: all. "in-order" (as an allocator that knows no future: lowest gap,
  /// by time of birth), "greedy-by-size", "greedy" (the best of several
  /// orders), "eviction", "local-search".
  std::string solver;
};

/// Offsets with a certificate: no placement has an extent below `bound`.
struct Placement {
  std::vector<int64_t> offsets;
  int64_t extent = 0, bound = 0;
  /// Optimal (extent == bound) or Feasible.
  game::Status status = game::Status::Unknown;
  std::string solver;
  /// The effort or the time limit ended the search.
  bool limited = false;
};

/// Whether `name` is a value of PlaceOptions::solver.
bool isPlacer(const std::string &name);

/// The best placement found of buffers that check() accepts. Every answer has
/// been through verify(). Same buffers, seed and effort: same answer.
Placement placeBuffers(const std::vector<Buffer> &buffers,
                       const PlaceOptions &options = {});

} // namespace pebble::addresses

#endif // PEBBLE_SOLVER_ADDRESSES_PLACEBUFFERS_H
