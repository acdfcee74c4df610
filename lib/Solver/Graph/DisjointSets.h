//===- DisjointSets.h - things that belong together -------------*- C++ -*-===//
//
// Union-find over 0 .. n-1, with the representative in the caller's hand. LLVM
// has its own; Solver must not see it.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_GRAPH_DISJOINTSETS_H
#define PEBBLE_LIB_SOLVER_GRAPH_DISJOINTSETS_H

#include "pebble/Solver/Game/Problem.h"

#include <numeric>
#include <vector>

namespace pebble::graph {

class DisjointSets {
public:
  /// Each in a set of its own.
  explicit DisjointSets(size_t count) : parent(count) {
    std::iota(parent.begin(), parent.end(), 0);
  }

  /// The representative of the set of `one`. Halves the way there.
  game::Id find(game::Id one) {
    while (parent[one] != one)
      one = parent[one] = parent[parent[one]];
    return one;
  }

  /// The set of `one` joins that of `other`, whose representative stays.
  void join(game::Id one, game::Id other) { parent[find(one)] = find(other); }

private:
  std::vector<game::Id> parent;
};

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_GRAPH_DISJOINTSETS_H
