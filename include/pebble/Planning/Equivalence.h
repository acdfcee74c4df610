//===- Equivalence.h - was it the same program? -----------------*- C++ -*-===//
//
// The judge of every rewrite. It executes a block symbolically before and after
// and proves that every returned value is the same expression of the same
// inputs, that effects keep their order, and that no value is read after its
// storage was overwritten or freed. It knows no solver, no schedule and no
// dependence graph: what those got wrong, this must not repeat. Of the analyses
// it asks only which values share a storage.
//
// How. Each result gets the id of an expression: the op's name, attributes
// (those of Pebble itself left out), regions, and the ids of what it reads.
// Equal expressions have equal ids. Each storage holds one content at a time,
// an id; memrefs are read through (storage, content), numbered by the last
// writer, and storages that are not proven apart hold one content together.
// What moves data without changing it (copies, transfers between tiers, the
// opaque identity) is transparent; so is what a destination held before, if the
// op does not read it. docs/Equivalence.md says what is proven and what not.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_PLANNING_EQUIVALENCE_H
#define PEBBLE_PLANNING_EQUIVALENCE_H

#include "pebble/Analysis/Storage.h"

#include <memory>

namespace pebble {

/// Compares a block with what it was when the checker was made:
///
///   EquivalenceChecker checker(block, context);
///   ... rewrite the block in place ...
///   if (failed(checker.verify()))
///     return failure();
///
/// Ops that are moved keep their identity; ops may be added. Values from
/// outside of the block must stay what they are.
class EquivalenceChecker {
public:
  /// Takes the snapshot. Time and memory near-linear in ops and operands, the
  /// nested ones included.
  EquivalenceChecker(mlir::Block &block, ProgramContext &context);
  /// The same for the block of `storage`, which is not kept.
  explicit EquivalenceChecker(const StorageAnalysis &storage);
  ~EquivalenceChecker();

  /// Emits an error at the op where the difference begins, and fails, unless
  /// the block is proven to be the same program as in the snapshot.
  /// What ops of `outOfPlace` wrote in place they may write elsewhere by now.
  llvm::LogicalResult
  verify(const llvm::SmallDenseSet<mlir::Operation *> &outOfPlace = {});

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Proves two functions of one MLIRContext equal, block by block. Emits an
/// error in `after` where it cannot.
llvm::LogicalResult checkEquivalence(mlir::Operation *before,
                                     mlir::Operation *after,
                                     ProgramContext &context);

/// Proves that `names` mean to the function `after` what they mean to `before`.
llvm::LogicalResult checkSymbols(mlir::Operation *before,
                                 mlir::Operation *after,
                                 llvm::ArrayRef<mlir::SymbolRefAttr> names,
                                 ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_PLANNING_EQUIVALENCE_H
