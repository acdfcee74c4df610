//===- BlockLiveness.h - in which blocks a buffer is needed -----*- C++ -*-===//
//
// The analysis that counts what is live in several blocks and the pass that
// places their frees ask the same question here. So the count is what the frees
// make true.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_BLOCKLIVENESS_H
#define PEBBLE_ANALYSIS_BLOCKLIVENESS_H

#include "mlir/IR/BuiltinOps.h"

namespace pebble {

/// Where, among the blocks of one region, a buffer is needed that one of them
/// makes.
class BlockLiveness {
public:
  /// `maker` makes the buffer, which is used by all uses of `names`, but for
  /// those by ops that are `skipped`.
  BlockLiveness(mlir::Block *maker, llvm::ArrayRef<mlir::Value> names,
                bool (*skipped)(mlir::Operation *) = nullptr);

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

} // namespace pebble

#endif // PEBBLE_ANALYSIS_BLOCKLIVENESS_H
