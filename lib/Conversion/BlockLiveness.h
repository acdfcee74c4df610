//===- BlockLiveness.h - in which blocks a buffer is needed -----*- C++ -*-===//

#ifndef PEBBLE_LIB_CONVERSION_BLOCKLIVENESS_H
#define PEBBLE_LIB_CONVERSION_BLOCKLIVENESS_H

#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// Where, among the blocks of one region, a buffer is needed that one of them
/// makes.
class BlockLiveness {
public:
  /// `maker` makes the buffer, which is used by all uses of `names`.
  BlockLiveness(mlir::Block *maker, llvm::ArrayRef<mlir::Value> names);

  /// Whether the buffer is needed in `block`, which does not make it, or after.
  bool isLiveIn(mlir::Block *block) const { return liveIn.contains(block); }
  /// Whether a block after `block` needs it.
  bool isLiveOut(mlir::Block *block) const { return liveOut.contains(block); }
  /// Whether `block` has it, from the maker or from blocks before.
  bool isThere(mlir::Block *block) const {
    return block == maker || isLiveIn(block);
  }

private:
  mlir::Block *maker;
  llvm::DenseSet<mlir::Block *> liveIn, liveOut;
};

/// Gives each way out of a branch with several a block of its own, where it is
/// not the only way into its target or takes buffers along: what ends, or is
/// handed over, on one way alone has a place there.
void splitBranches(mlir::Operation *root);

} // namespace pebble

#endif // PEBBLE_LIB_CONVERSION_BLOCKLIVENESS_H
