//===- IdSet.h - sets of up to 64 ids in a word -----------------*- C++ -*-===//

#ifndef PEBBLE_LIB_SOLVER_GRAPH_IDSET_H
#define PEBBLE_LIB_SOLVER_GRAPH_IDSET_H

#include "pebble/Solver/Game/Problem.h"

namespace pebble::graph {

/// The set of `id` alone; `id` is below 64.
inline uint64_t bit(game::Id id) { return uint64_t(1) << id; }

/// Takes the lowest id out of a set that is not empty.
inline game::Id pop(uint64_t &set) {
  game::Id id = __builtin_ctzll(set);
  set &= set - 1;
  return id;
}

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_GRAPH_IDSET_H
