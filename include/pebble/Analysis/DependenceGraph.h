//===- DependenceGraph.h - what must come before what -----------*- C++ -*-===//
//
// The orders of a block's steps that keep its meaning: flow dependences, which
// SSA form shows; anti- and output dependences, which it hides as soon as
// storages are shared; and the order of effects, which carries no data and
// keeps nothing alive. Near-linear in accesses and operands.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_DEPENDENCEGRAPH_H
#define PEBBLE_ANALYSIS_DEPENDENCEGRAPH_H

#include "pebble/Analysis/Storage.h"

namespace pebble {

enum class DependenceKind {
  Flow,   ///< RAW: the later step reads what the earlier one wrote
  Anti,   ///< WAR: the later step overwrites what the earlier one reads
  Output, ///< WAW: both write one storage
  Effect  ///< no data: the order of effects
};
llvm::StringRef toString(DependenceKind kind);

/// `before` and `after` index StorageAnalysis::getSteps().
struct Dependence {
  unsigned before;
  unsigned after;
  DependenceKind kind;
  /// The storage that causes it; none for scalars and effects.
  std::optional<StorageId> storage;
};

class DependenceGraph {
public:
  /// For the pass manager.
  DependenceGraph(mlir::Operation *op, mlir::AnalysisManager &manager);
  explicit DependenceGraph(const StorageAnalysis &storage);

  const StorageAnalysis &getStorage() const { return *storage; }
  /// Sorted by (after, before, kind); no two are equal.
  llvm::ArrayRef<Dependence> getDependences() const { return dependences; }
  /// Number of distinct dependences of this kind.
  int64_t count(DependenceKind kind) const;

  /// The first dependence that `order` (a permutation of the steps) breaks.
  std::optional<Dependence> findViolation(llvm::ArrayRef<unsigned> order) const;

private:
  void run();
  const StorageAnalysis *storage;
  std::vector<Dependence> dependences;
};

} // namespace pebble

#endif // PEBBLE_ANALYSIS_DEPENDENCEGRAPH_H
