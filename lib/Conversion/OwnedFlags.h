//===- OwnedFlags.h - whose a buffer is, at run time ------------*- C++ -*-===//
//
// An input of a region or a block that owns what flows into it may come to name
// somebody else's buffer on one path; so may the result of a call. Beside such
// an input goes a flag (i1) that says whether the buffer is to be freed,
// through results, carried values and arguments of blocks. A call's result is
// compared with what the callee was given, so that no signature changes.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_LIB_CONVERSION_OWNEDFLAGS_H
#define PEBBLE_LIB_CONVERSION_OWNEDFLAGS_H

#include "Ownership.h"

#include "llvm/ADT/MapVector.h"

namespace pebble {

class OwnedFlags {
public:
  OwnedFlags(const Ownership &ownership, mlir::ModuleOp module)
      : ownership(ownership), module(module) {}

  /// Finds the roots that need a flag and computes what goes along with them.
  /// Fails with an error where nothing can tell.
  llvm::LogicalResult create();

  /// Whether the buffer of `root` is its owner's, where only the run knows;
  /// null if it always is.
  mlir::Value get(mlir::Value root) const { return flags.lookup(root); }

  /// Lets the flags flow along with their buffers. Makes ops anew that have
  /// more results, so that values which `ownership` knows are gone.
  llvm::LogicalResult carry();

private:
  llvm::LogicalResult findFlaggedResults();
  bool isAlwaysGiven(mlir::OpOperand &operand) const;
  bool isFlagged(mlir::Value root) const { return flags.contains(root); }
  mlir::Value passOn(mlir::OpOperand &operand, mlir::OpBuilder &builder) const;
  void addArguments();
  void addResults(mlir::Operation *op);

  const Ownership &ownership;
  mlir::ModuleOp module;
  llvm::DenseMap<mlir::Value, mlir::Value> flags;
  /// By op: the flags that it passes on, in the order of its operands.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<mlir::Value>> passed;
};

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_OWNEDFLAGS_H
