//===- PackedOrder.h - an order that a greedy allocator packs well -*- C++ -*-//
//
// Two orders of the same runs may have the same peak, and need blocks of memory
// of different sizes: where a backend chooses the offsets, and does so
// greedily, some bytes lie idle between what lives. Here runs are moved, with
// lifetimes and with them, until the greedy allocator needs no more than the
// peak, or no better order is found.
//
// The allocator knows all lifetimes. It places one buffer after the other,
// large ones first or long-lived ones first, each in the smallest gap that
// holds it; the lower of the two blocks counts. XLA does so on CPUs and GPUs.
// It measures lifetimes in instructions, and nobody knows how many a step comes
// to. A little more or less can put every buffer elsewhere. So an order has to
// do by several clocks.
//
// Hill climbing over places of single runs, from the start again where that
// leads nowhere: the bytes that lie above the peak come down, and equal ones
// are accepted. At first small buffers are left out. Not optimal, unless the
// extent meets the peak. One change is O(n^2) for n buffers, less where it is
// rejected early. Greedy by size: Y. Pisarchyk, J. Lee, Efficient Memory
// Management for Deep Neural Net Inference (2020).
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_REMAT_PACKEDORDER_H
#define PEBBLE_SOLVER_REMAT_PACKEDORDER_H

#include "pebble/Solver/Addresses/Addresses.h"
#include "pebble/Solver/Game/Schedule.h"
#include "pebble/Solver/Graph/Limits.h"

#include <vector>

namespace pebble::graph {

struct PackOptions {
  uint64_t seed = 0;
  /// Pairs of buffers looked at. 0: two thousand million.
  uint64_t effort = 0;
  Limits limits;
};

struct PackedOrder {
  /// The same runs; drops follow last uses.
  std::vector<game::Move> moves;
  /// Bytes of the allocator's block for the moves that came in, and for these,
  /// where each run takes the same time.
  int64_t before = 0, extent = 0;
  /// Less lies above the peak than before, by all clocks together.
  bool isBetter = false;
};

/// Moves the runs of `moves`, a schedule that game::verify() accepts. The
/// answer has the same runs and no higher peak. In the block are the storages
/// that steps make, and scratch; those that are there from the start, or that
/// the end requires, have places of their own. Schedules with transfers, and
/// problems whose updates in place run again, stay as they are. Same problem,
/// moves, seed and effort: same answer.
PackedOrder packOrder(const game::Problem &problem,
                      const std::vector<game::Move> &moves,
                      const PackOptions &options = {});

/// The block that the allocator needs for `buffers`.
int64_t getGreedyExtent(const std::vector<addresses::Buffer> &buffers);

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_REMAT_PACKEDORDER_H
