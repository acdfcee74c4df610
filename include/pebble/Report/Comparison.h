//===- Comparison.h - what changed between two programs ---------*- C++ -*-===//
//
// Matches the steps of a function before and after a rewrite and says which
// moved, which are new or gone, and which accesses are served by another tier.
// For people: that two programs mean the same is proven elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_REPORT_COMPARISON_H
#define PEBBLE_REPORT_COMPARISON_H

#include "pebble/Report/FunctionReport.h"

namespace pebble {

/// An access that another tier serves than before. Tiers by name.
struct TierChange {
  unsigned before, after; ///< positions of the step
  std::string storage;
  bool isWrite;
  int64_t bytes;
  std::string from, to;
  int64_t energy; ///< fJ, after less before
};

struct Comparison {
  const FunctionReport *before = nullptr;
  const FunctionReport *after = nullptr;
  /// For each position after, the position before of the same op.
  std::vector<std::optional<unsigned>> origin;
  /// Positions after of ops that were there before and stand elsewhere: the
  /// fewest that, taken out, leave the others in their old order.
  std::vector<unsigned> moved;
  /// Positions after of ops that run again what another op computes.
  std::vector<unsigned> recomputed;
  /// Positions after of new ops that store a value to another tier.
  std::vector<unsigned> offloaded;
  /// Positions after of other new ops.
  std::vector<unsigned> added;
  /// Positions before of ops that are gone.
  std::vector<unsigned> removed;
  std::vector<TierChange> tierChanges;
};

/// Has `after` call what `before` has too as `before` does, where the file of
/// `after` has nothing but names of its own for it (%12): a value has one name.
void adoptNames(const FunctionReport &before, FunctionReport &after);

/// Both reports must outlive the comparison and come from one MLIRContext.
Comparison compareReports(const FunctionReport &before,
                          const FunctionReport &after);

} // namespace pebble

#endif // PEBBLE_REPORT_COMPARISON_H
