//===- AroundBlocks.h - what is live around a block -------------*- C++ -*-===//
//
// A block's own analyses see what the block makes, and what it mentions. In a
// region of several blocks more may be live while it runs: buffers that only
// pass through, and those that a block before has handed over. This says how
// many bytes that is. What a block counts and what is around it are together
// the most that is live while it runs.
//
// Buffers are followed from block to block by the rules by which the way down
// frees them (Conversion/Ownership.h). A block's argument names what flows into
// it, as long as all of that is made in the region's first block or outside. If
// not, the argument owns what flows into it (mustOwn in Jumps.h): the buffer
// goes along, unless it is needed under its old name as well. A buffer lives in
// the blocks where one of its names is used, and in those on the way there
// (BlockLiveness.h).
//
// The figure is a bound. What a block mentions counts throughout the block.
// Where a branch may bring one of several buffers, all of them count.
//
//===----------------------------------------------------------------------===//

#ifndef PEBBLE_ANALYSIS_AROUNDBLOCKS_H
#define PEBBLE_ANALYSIS_AROUNDBLOCKS_H

#include "pebble/Analysis/Lifetime.h"

#include <map>

namespace pebble {

class AroundBlocks {
public:
  /// Looks at all blocks of a function's body. Around a single block there is
  /// nothing. Time near-linear in operations, for each level at which buffers
  /// are handed on, plus blocks times buffers that leave their block.
  AroundBlocks(mlir::Region &body, ProgramContext &context);

  /// Bytes of the tier that are live while `block` runs, on top of what its
  /// LifetimeAnalysis counts at each position. Less than 0 where the analysis
  /// counts one buffer under two names.
  int64_t getBytes(mlir::Block &block, llvm::StringRef tier = "") const {
    return lookup(live, block, tier);
  }
  /// The same on top of what the LifetimeAnalysis counts as owned: without what
  /// belongs to the function's caller.
  int64_t getOwnedBytes(mlir::Block &block, llvm::StringRef tier = "") const {
    return lookup(owned, block, tier);
  }
  /// The tiers for which there is an answer other than 0 for `block`.
  llvm::SmallVector<llvm::StringRef> getTiers(mlir::Block &block) const;

  /// Tensors that a return cannot give away as they are, although another
  /// return of the function gives away a buffer in that place: they may be
  /// somebody else's, or given away twice. The caller gets copies of them.
  llvm::ArrayRef<mlir::OpOperand *> getReturnedCopies() const { return copies; }

private:
  class Builder;
  using ByTier = std::map<llvm::StringRef, int64_t>;
  using Table = llvm::DenseMap<mlir::Block *, ByTier>;

  static int64_t lookup(const Table &table, mlir::Block &block,
                        llvm::StringRef tier);

  Table live, owned;
  llvm::SmallVector<mlir::OpOperand *, 0> copies;
};

/// True for a block of a function's own body.
bool isFunctionBlock(mlir::Block &block);

/// The most that is live in each tier while one of the blocks of `body` runs,
/// with what is around it. Emits an error and fails where sizes are not known.
llvm::FailureOr<std::map<std::string, int64_t>>
getBodyPeaks(mlir::Region &body, ProgramContext &context);

} // namespace pebble

#endif // PEBBLE_ANALYSIS_AROUNDBLOCKS_H
