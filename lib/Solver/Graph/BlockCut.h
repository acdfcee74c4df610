//===- BlockCut.h - a graph as a chain of blocks ----------------*- C++ -*-===//
//
// Cuts a training step into forward blocks and the backward blocks that belong
// to them. The order turns where most values are live. A forward cut is a place
// across which forward steps read few values; what backward steps read across
// it does not count, being the skip values of the chain. A backward step
// belongs to the last block whose values it, or a backward step after it,
// reads. Decides on the given order alone; O(n + accesses) but for merging
// blocks, which is O(n^2) at worst.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_SOLVER_GRAPH_BLOCKCUT_H
#define PEBBLE_LIB_SOLVER_GRAPH_BLOCKCUT_H

#include "pebble/Solver/Game/Problem.h"

#include <vector>

namespace pebble::graph {

struct BlockCut {
  struct Block {
    /// Steps in the order that came in.
    std::vector<game::Id> forward, backward;
    /// Values that forward steps of later blocks read, and values that backward
    /// steps of earlier blocks read or that are required, of the backward steps
    /// of this block and of later ones.
    std::vector<game::Id> passedOn, gradients;
  };
  std::vector<Block> blocks;
  /// The most values that one cut passes on.
  size_t width = 0;
};

/// At most `most` blocks; fewer than two if no cut of up to three values gives
/// more.
BlockCut cutIntoBlocks(const game::Problem &problem, size_t most);

} // namespace pebble::graph

#endif // PEBBLE_LIB_SOLVER_GRAPH_BLOCKCUT_H
