//===- Explain.h - what another order changed -------------------*- C++ -*-===//
//
// Compares an order with the one that came in: which steps moved, how long each
// storage lives now, which accesses another tier serves, and what dominates the
// peak. For remarks and reports; decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_EXPLAIN_H
#define PEBBLE_PLANNING_EXPLAIN_H

#include "pebble/Analysis/Traffic.h"

namespace pebble {

/// A step that left its place among the others.
struct MovedStep {
  unsigned step;
  unsigned from; ///< position that it had
  unsigned to;   ///< position that it has
};

/// A storage whose life got longer or shorter, in steps.
struct ChangedLife {
  StorageId storage;
  LiveRange before, after;
};

/// An access that another tier serves now.
struct ChangedAccess {
  unsigned step;
  Access access;
  unsigned tierBefore, tierAfter;
  /// Femtojoules.
  int64_t energyBefore, energyAfter;
};

struct Explanation {
  /// The fewest steps whose moves account for the new order, by new position.
  std::vector<MovedStep> moved;
  std::vector<ChangedLife> lives;
  /// Empty without a hierarchy. In the new order.
  std::vector<ChangedAccess> accesses;
  /// Of the new order: the first position where the peak is reached, and what
  /// is live there, largest first.
  unsigned peakPosition = 0;
  llvm::SmallVector<StorageId> liveAtPeak;
  int64_t peakBefore = 0, peakAfter = 0;
};

/// Explains `order` of the steps of `storage`, which stand in the order that
/// came in. `hierarchy` may be null. Time O(n log n).
Explanation explainOrder(const StorageAnalysis &storage,
                         llvm::ArrayRef<unsigned> order,
                         HierarchyAttr hierarchy, CacheModel model);

/// Emits remarks of category `category`: the peak and what dominates it, each
/// op that moved, each access that another tier serves, each barrier. Does
/// nothing if nobody listens.
void emitRemarks(const StorageAnalysis &storage, const Explanation &explanation,
                 llvm::ArrayRef<unsigned> order, HierarchyAttr hierarchy,
                 llvm::StringRef category);

} // namespace pebble

#endif // PEBBLE_PLANNING_EXPLAIN_H
