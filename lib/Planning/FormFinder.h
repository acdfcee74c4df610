//===- FormFinder.h - what forms are found by (private) ---------*- C++ -*-===//
//
// A form as the steps that it is, and what those who look for forms ask of a
// block.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_PLANNING_FORMFINDER_H
#define PEBBLE_LIB_PLANNING_FORMFINDER_H

#include "pebble/Planning/DerivedForms.h"

#include "mlir/IR/IRMapping.h"

namespace pebble {

struct DerivedForms::Form {
  /// What is packed: a mask, where a reader is split. What is given back.
  mlir::OpResult value;
  /// Values that need not be kept.
  mlir::SmallVector<mlir::Value, 2> spared;
  DerivedForm facts;
  /// A reader that compares, and what stands in its place: what makes the mask,
  /// right behind what it compares, and the rest. Null and empty: none is
  /// split.
  mlir::Operation *reader = nullptr, *rest = nullptr;
  mlir::SmallVector<mlir::Operation *, 2> masking;
  /// Right behind the maker of the value, and right before the first reader
  /// that takes what is read back. Nothing is packed where the value follows
  /// from others. Both are empty: a mask that cannot be packed.
  mlir::SmallVector<mlir::Operation *, 2> packing, unpacking;
  /// Late readers, with what they read of the value, and of what is read back.
  struct Use {
    mlir::OpOperand *operand;
    mlir::Value before, after;
  };
  mlir::SmallVector<Use, 2> uses;
  /// Forms behind this one whose values it reads.
  mlir::SmallVector<unsigned, 2> needs;
  bool isUsed = false;
};

/// Steps between two readers that are worth two steps more.
inline constexpr unsigned kLongAgo = 3;

/// True if somebody has a wish for `op`.
bool isAskedFor(mlir::Operation *op);

/// What a block says of values that may be kept otherwise.
class FormFinder {
public:
  explicit FormFinder(const StorageAnalysis &storage);

protected:
  /// Whether only this block holds `value`, and nobody asked for anything.
  bool isFree(mlir::Value value) const;

  /// Collects who reads `value`, be it through views; false if one of them
  /// needs the value itself. Readers of `beside` do not count.
  bool collectUses(mlir::Value value,
                   mlir::SmallVectorImpl<mlir::OpOperand *> &uses,
                   const mlir::Block *beside = nullptr) const;

  /// The readers behind the longest time in which nobody reads the value; none
  /// where one comes right after the other.
  mlir::SmallVector<mlir::OpOperand *>
  getLate(mlir::OpResult value,
          mlir::SmallVector<mlir::OpOperand *> uses) const;

  unsigned getPosition(mlir::Operation *op) const {
    return position.lookup(op);
  }

  /// `seen`, a view of the value or itself, of what is read back.
  static mlir::Value cloneViews(mlir::OpBuilder &builder, mlir::Value seen,
                                mlir::IRMapping &views);

  const StorageAnalysis &storage;
  /// Of the block's ops, and of those that may come in.
  llvm::DenseMap<mlir::Operation *, unsigned> position;
  /// By storage: the steps that use it, in order.
  std::vector<mlir::SmallVector<unsigned>> touches;
};

} // namespace pebble

#endif // PEBBLE_LIB_PLANNING_FORMFINDER_H
