//===- FootprintGame.h - live bytes seen from both ends ---------*- C++ -*-===//
//
// The footprint of an order as a game that reads the same forwards and
// backwards: a storage is live while one of its openers has run and one of its
// closers has not. Forwards the producer opens and the users close; backwards
// the users open and the producer closes. Bounds and searches work on this, for
// whole problems and for windows of an order.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_SOLVER_ORDER_FOOTPRINTGAME_H
#define PEBBLE_SOLVER_ORDER_FOOTPRINTGAME_H

#include "pebble/Solver/Graph/StepGraph.h"

#include <cstdint>
#include <vector>

namespace pebble::graph {

struct FootprintGame {
  struct Cell {
    int64_t bytes = 0;
    std::vector<Id> openers, closers;
    /// Open before the first step; open after the last.
    bool openAtStart = false, openAtEnd = false;
  };
  std::vector<Cell> cells;
  /// Cells that each step helps to open, and to close.
  std::vector<std::vector<Id>> opens, closes;
  std::vector<std::vector<Id>> before, after;
  /// Bytes live only while the step runs.
  std::vector<int64_t> transient;

  size_t size() const { return transient.size(); }

  FootprintGame() = default;
  FootprintGame(const StepGraph &graph, const LiveStorages &storages);

  /// The same game played from the end to the start: an order fits in one if
  /// and only if its reverse fits in the other.
  FootprintGame reversed() const;

  /// The part between two sets: the steps of `prefix` have run, and only those
  /// of `window` may run. Steps are numbered as in `window`.
  FootprintGame window(const std::vector<bool> &prefix,
                       const std::vector<Id> &window) const;

  /// Bytes live while each step of `order` runs. O(accesses).
  std::vector<int64_t> profile(const std::vector<Id> &order) const;
};

} // namespace pebble::graph

#endif // PEBBLE_SOLVER_ORDER_FOOTPRINTGAME_H
